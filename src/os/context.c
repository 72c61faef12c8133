/* context.c: context.h for x86-64 and AArch64. A switch saves what the ABI makes called functions keep, control words of
 * floating point included, in a frame of the same layout for all contexts: so the call frame information of the switch is
 * right before and after it. */
#include "os/context.h"

void bz_os_context_begin(void); /* below, not a function to call */

#if defined(__x86_64__)

/* From the stack pointer of a context up: control words, r15 to r12, rbx, rbp, return address. */
enum { CONTROL, R15, R14, R13, R12, RBX, RBP, RETURN, WORDS };

__asm__(".text\n"
        ".globl bz_os_context_switch, bz_os_context_begin\n"
        ".hidden bz_os_context_switch, bz_os_context_begin\n"
        ".type bz_os_context_switch, %function\n"
        ".type bz_os_context_begin, %function\n"
        ".p2align 4\n"
        "bz_os_context_switch:\n"
        ".cfi_startproc\n"
        ".irp reg, rbp, rbx, r12, r13, r14, r15\n"
        "pushq %\\reg\n"
        ".cfi_adjust_cfa_offset 8\n"
        ".cfi_rel_offset %\\reg, 0\n"
        ".endr\n"
        "subq $8, %rsp\n"
        ".cfi_adjust_cfa_offset 8\n"
        "stmxcsr (%rsp)\n"
        "fnstcw 4(%rsp)\n"
        "movl (%rsp), %eax\n" /* the flags of exceptions, the lowest six bits, stay the thread's */
        "andl $63, %eax\n"
        "movq %rsp, (%rdi)\n"
        "movq %rsi, %rsp\n"
        "andl $-64, (%rsp)\n"
        "orl %eax, (%rsp)\n"
        "ldmxcsr (%rsp)\n"
        "fldcw 4(%rsp)\n"
        "addq $8, %rsp\n"
        ".cfi_adjust_cfa_offset -8\n"
        ".irp reg, r15, r14, r13, r12, rbx, rbp\n"
        "popq %\\reg\n"
        ".cfi_adjust_cfa_offset -8\n"
        ".cfi_restore %\\reg\n"
        ".endr\n"
        "ret\n"
        ".cfi_endproc\n"
        ".size bz_os_context_switch, . - bz_os_context_switch\n"
        /* main in rbx, its argument in r12. */
        ".p2align 4\n"
        "bz_os_context_begin:\n"
        ".cfi_startproc\n"
        ".cfi_undefined rip\n"
        "movq %r12, %rdi\n"
        "callq *%rbx\n"
        "ud2\n"
        ".cfi_endproc\n"
        ".size bz_os_context_begin, . - bz_os_context_begin\n");

void bz_os_set_control(uint64_t control) {
    uint32_t mxcsr;
    uint16_t fpucw = (uint16_t)(control >> 32);
    __asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
    mxcsr = ((uint32_t)control & ~63u) | (mxcsr & 63u); /* keeps the flags of exceptions */
    __asm__ volatile("ldmxcsr %0\n\tfldcw %1" : : "m"(mxcsr), "m"(fpucw));
}

void bz_os_renew_control(uint64_t control) {
    uint32_t mxcsr = (uint32_t)control & ~63u;
    uint16_t fpucw = (uint16_t)(control >> 32);
    __asm__ volatile("ldmxcsr %0\n\tfnclex\n\tfldcw %1" : : "m"(mxcsr), "m"(fpucw));
}

static void fill(uint64_t *frame, void (*main)(void *), void *arg) {
    frame[RBX] = (uintptr_t)main;
    frame[R12] = (uintptr_t)arg;
    frame[CONTROL] = bz_os_control();
    frame[RETURN] = (uintptr_t)bz_os_context_begin;
}

#elif defined(__aarch64__)

/* From the stack pointer of a context up: x19 to x30, d8 to d15, fpcr, one word to align. */
enum { X19, X20, X29 = 10, X30, FPCR = 20, WORDS = 22 };

__asm__(".text\n"
        ".globl bz_os_context_switch, bz_os_context_begin\n"
        ".hidden bz_os_context_switch, bz_os_context_begin\n"
        ".type bz_os_context_switch, %function\n"
        ".type bz_os_context_begin, %function\n"
        ".macro bz_store_pair one, other, at\n"
        "stp \\one, \\other, [sp, #\\at]\n"
        ".cfi_rel_offset \\one, \\at\n"
        ".cfi_rel_offset \\other, \\at + 8\n"
        ".endm\n"
        ".macro bz_load_pair one, other, at\n"
        "ldp \\one, \\other, [sp, #\\at]\n"
        ".cfi_restore \\one\n"
        ".cfi_restore \\other\n"
        ".endm\n"
        ".p2align 4\n"
        "bz_os_context_switch:\n"
        ".cfi_startproc\n"
        "sub sp, sp, #176\n"
        ".cfi_adjust_cfa_offset 176\n"
        "bz_store_pair x19, x20, 0\n"
        "bz_store_pair x21, x22, 16\n"
        "bz_store_pair x23, x24, 32\n"
        "bz_store_pair x25, x26, 48\n"
        "bz_store_pair x27, x28, 64\n"
        "bz_store_pair x29, x30, 80\n"
        "stp d8, d9, [sp, #96]\n"
        "stp d10, d11, [sp, #112]\n"
        "stp d12, d13, [sp, #128]\n"
        "stp d14, d15, [sp, #144]\n"
        "mrs x9, fpcr\n"
        "str x9, [sp, #160]\n"
        "mov x9, sp\n"
        "str x9, [x0]\n"
        "mov sp, x1\n"
        "ldr x9, [sp, #160]\n"
        "msr fpcr, x9\n"
        "ldp d14, d15, [sp, #144]\n"
        "ldp d12, d13, [sp, #128]\n"
        "ldp d10, d11, [sp, #112]\n"
        "ldp d8, d9, [sp, #96]\n"
        "bz_load_pair x29, x30, 80\n"
        "bz_load_pair x27, x28, 64\n"
        "bz_load_pair x25, x26, 48\n"
        "bz_load_pair x23, x24, 32\n"
        "bz_load_pair x21, x22, 16\n"
        "bz_load_pair x19, x20, 0\n"
        "add sp, sp, #176\n"
        ".cfi_adjust_cfa_offset -176\n"
        "ret\n"
        ".cfi_endproc\n"
        ".size bz_os_context_switch, . - bz_os_context_switch\n"
        /* main in x19, its argument in x20. */
        ".p2align 4\n"
        "bz_os_context_begin:\n"
        ".cfi_startproc\n"
        ".cfi_undefined x30\n"
        "mov x0, x20\n"
        "blr x19\n"
        "brk #1\n"
        ".cfi_endproc\n"
        ".size bz_os_context_begin, . - bz_os_context_begin\n"
        ".purgem bz_store_pair\n"
        ".purgem bz_load_pair\n");

void bz_os_set_control(uint64_t control) {
    __asm__ volatile("msr fpcr, %0" : : "r"(control));
}

void bz_os_renew_control(uint64_t control) {
    __asm__ volatile("msr fpcr, %0\n\tmsr fpsr, xzr" : : "r"(control));
}

static void fill(uint64_t *frame, void (*main)(void *), void *arg) {
    frame[X19] = (uintptr_t)main;
    frame[X20] = (uintptr_t)arg;
    frame[X30] = (uintptr_t)bz_os_context_begin;
    frame[FPCR] = bz_os_control();
}

#else
#    error "context.c has no switch for this processor"
#endif

/* On x86-64 the return address is the last word: main finds the stack aligned as any function does. */
void *bz_os_context_new(void *top, void (*main)(void *), void *arg) {
    uint64_t *frame = (uint64_t *)((uintptr_t)top / 16 * 16) - WORDS;
    for (int i = 0; i < WORDS; i++)
        frame[i] = 0;
    fill(frame, main, arg);
    return frame;
}
