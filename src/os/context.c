/* For x86-64 and AArch64. A switch saves what the ABI makes called functions keep, control words of floating point
 * included, in a frame of the same layout for all contexts: so its call frame information is right before and after
 * it. */
#include "os/context.h"

void bz_os_context_begin(void); /* below, not a function to call */

#if defined(__x86_64__)

/* From the stack pointer of a context up: control words, r15 to r12, rbx, rbp, return address. */
enum { CONTROL, R15, R14, R13, R12, RBX, RBP, RETURN, WORDS };

#    define SWITCH                                                                                           \
        ".irp reg, rbp, rbx, r12, r13, r14, r15\n"                                                           \
        "pushq %\\reg\n"                                                                                     \
        ".cfi_adjust_cfa_offset 8\n"                                                                         \
        ".cfi_rel_offset %\\reg, 0\n"                                                                        \
        ".endr\n"                                                                                            \
        "subq $8, %rsp\n"                                                                                    \
        ".cfi_adjust_cfa_offset 8\n"                                                                         \
        "stmxcsr (%rsp)\n"                                                                                   \
        "fnstcw 4(%rsp)\n"                                                                                   \
        "movl (%rsp), %eax\n" /* the flags of exceptions, the lowest six bits, stay the thread's */          \
        "andl $63, %eax\n"                                                                                   \
        "movq %rsp, (%rdi)\n"                                                                                \
        "movq %rsi, %rsp\n"                                                                                  \
        "andl $-64, (%rsp)\n"                                                                                \
        "orl %eax, (%rsp)\n"                                                                                 \
        "ldmxcsr (%rsp)\n"                                                                                   \
        "fldcw 4(%rsp)\n"                                                                                    \
        "addq $8, %rsp\n"                                                                                    \
        ".cfi_adjust_cfa_offset -8\n"                                                                        \
        ".irp reg, r15, r14, r13, r12, rbx, rbp\n"                                                           \
        "popq %\\reg\n"                                                                                      \
        ".cfi_adjust_cfa_offset -8\n"                                                                        \
        ".cfi_restore %\\reg\n"                                                                              \
        ".endr\n"                                                                                            \
        "ret\n"

/* main in rbx, its argument in r12. */
#    define START                                                                                            \
        ".cfi_undefined rip\n"                                                                               \
        "movq %r12, %rdi\n"                                                                                  \
        "callq *%rbx\n"                                                                                      \
        "ud2\n"

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

/* The macros move a pair of registers, then the others. */
#    define SWITCH                                                                                           \
        ".macro bz_push one, other, others:vararg\n"                                                         \
        "stp \\one, \\other, [sp, #-16]!\n"                                                                  \
        ".cfi_adjust_cfa_offset 16\n"                                                                        \
        ".cfi_rel_offset \\one, 0\n"                                                                         \
        ".cfi_rel_offset \\other, 8\n"                                                                       \
        ".ifnb \\others\n"                                                                                   \
        "bz_push \\others\n"                                                                                 \
        ".endif\n"                                                                                           \
        ".endm\n"                                                                                            \
        ".macro bz_pop one, other, others:vararg\n"                                                          \
        "ldp \\one, \\other, [sp], #16\n"                                                                    \
        ".cfi_adjust_cfa_offset -16\n"                                                                       \
        ".cfi_restore \\one\n"                                                                               \
        ".cfi_restore \\other\n"                                                                             \
        ".ifnb \\others\n"                                                                                   \
        "bz_pop \\others\n"                                                                                  \
        ".endif\n"                                                                                           \
        ".endm\n"                                                                                            \
        "mrs x9, fpcr\n"                                                                                     \
        "stp x9, xzr, [sp, #-16]!\n"                                                                         \
        ".cfi_adjust_cfa_offset 16\n"                                                                        \
        "bz_push d14, d15, d12, d13, d10, d11, d8, d9\n"                                                     \
        "bz_push x29, x30, x27, x28, x25, x26, x23, x24, x21, x22, x19, x20\n"                               \
        "mov x9, sp\n"                                                                                       \
        "str x9, [x0]\n"                                                                                     \
        "mov sp, x1\n"                                                                                       \
        "bz_pop x19, x20, x21, x22, x23, x24, x25, x26, x27, x28, x29, x30\n"                                \
        "bz_pop d8, d9, d10, d11, d12, d13, d14, d15\n"                                                      \
        "ldr x9, [sp], #16\n"                                                                                \
        ".cfi_adjust_cfa_offset -16\n"                                                                       \
        "msr fpcr, x9\n"                                                                                     \
        "ret\n"                                                                                              \
        ".purgem bz_push\n"                                                                                  \
        ".purgem bz_pop\n"

/* main in x19, its argument in x20. */
#    define START                                                                                            \
        ".cfi_undefined x30\n"                                                                               \
        "mov x0, x20\n"                                                                                      \
        "blr x19\n"                                                                                          \
        "brk #1\n"

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

#define FUNCTION(name, body)                                                                                 \
    ".globl " name "\n.hidden " name "\n.type " name ", %function\n.p2align 4\n" name                        \
    ":\n.cfi_startproc\n" body ".cfi_endproc\n.size " name ", . - " name "\n"

__asm__(".text\n" FUNCTION("bz_os_context_switch", SWITCH) FUNCTION("bz_os_context_begin", START));

/* On x86-64 the return address is the last word: main finds the stack aligned as any function does. */
void *bz_os_context_new(void *top, void (*main)(void *), void *arg) {
    uint64_t *frame = (uint64_t *)((uintptr_t)top / 16 * 16) - WORDS;
    for (int i = 0; i < WORDS; i++)
        frame[i] = 0;
    fill(frame, main, arg);
    return frame;
}
