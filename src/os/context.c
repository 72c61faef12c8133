/* context.c: context.h on 64-bit Linux, for x86-64 and AArch64. What a switch saves is what the ABI of each says that a
 * called function keeps, control words of floating point included, in one frame of the same layout for all contexts: so
 * the call frame information of the switch is right before and after it. */
#include "os/context.h"

#include <stdint.h>

void bz_os_context_begin(void); /* below, not a function to call */

#if defined(__x86_64__)

/* From the stack pointer of a context up: control words, r15 to r12, rbx, rbp, return address. */
enum { CONTROL, R15, R14, R13, R12, RBX, RBP, RETURN, WORDS };

__asm__(".text\n"
        ".p2align 4\n"
        ".globl bz_os_context_switch\n"
        ".hidden bz_os_context_switch\n"
        ".type bz_os_context_switch, @function\n"
        "bz_os_context_switch:\n"
        ".cfi_startproc\n"
        "pushq %rbp\n"
        ".cfi_adjust_cfa_offset 8\n"
        ".cfi_rel_offset %rbp, 0\n"
        "pushq %rbx\n"
        ".cfi_adjust_cfa_offset 8\n"
        ".cfi_rel_offset %rbx, 0\n"
        "pushq %r12\n"
        ".cfi_adjust_cfa_offset 8\n"
        ".cfi_rel_offset %r12, 0\n"
        "pushq %r13\n"
        ".cfi_adjust_cfa_offset 8\n"
        ".cfi_rel_offset %r13, 0\n"
        "pushq %r14\n"
        ".cfi_adjust_cfa_offset 8\n"
        ".cfi_rel_offset %r14, 0\n"
        "pushq %r15\n"
        ".cfi_adjust_cfa_offset 8\n"
        ".cfi_rel_offset %r15, 0\n"
        "subq $8, %rsp\n"
        ".cfi_adjust_cfa_offset 8\n"
        "stmxcsr (%rsp)\n"
        "fnstcw 4(%rsp)\n"
        "movl (%rsp), %eax\n" /* the flags of exceptions, the lowest six bits, go along */
        "andl $63, %eax\n"
        "movq %rsp, (%rdi)\n"
        "movq %rsi, %rsp\n"
        "andl $-64, (%rsp)\n"
        "orl %eax, (%rsp)\n"
        "ldmxcsr (%rsp)\n"
        "fldcw 4(%rsp)\n"
        "addq $8, %rsp\n"
        ".cfi_adjust_cfa_offset -8\n"
        "popq %r15\n"
        ".cfi_adjust_cfa_offset -8\n"
        ".cfi_restore %r15\n"
        "popq %r14\n"
        ".cfi_adjust_cfa_offset -8\n"
        ".cfi_restore %r14\n"
        "popq %r13\n"
        ".cfi_adjust_cfa_offset -8\n"
        ".cfi_restore %r13\n"
        "popq %r12\n"
        ".cfi_adjust_cfa_offset -8\n"
        ".cfi_restore %r12\n"
        "popq %rbx\n"
        ".cfi_adjust_cfa_offset -8\n"
        ".cfi_restore %rbx\n"
        "popq %rbp\n"
        ".cfi_adjust_cfa_offset -8\n"
        ".cfi_restore %rbp\n"
        "ret\n"
        ".cfi_endproc\n"
        ".size bz_os_context_switch, . - bz_os_context_switch\n"
        /* main in rbx, its argument in r12. */
        ".globl bz_os_context_begin\n"
        ".hidden bz_os_context_begin\n"
        ".type bz_os_context_begin, @function\n"
        "bz_os_context_begin:\n"
        ".cfi_startproc\n"
        ".cfi_undefined rip\n"
        "movq %r12, %rdi\n"
        "callq *%rbx\n"
        "ud2\n"
        ".cfi_endproc\n"
        ".size bz_os_context_begin, . - bz_os_context_begin\n");

bool bz_os_can_switch(void) {
    return true;
}

void bz_os_set_control(uint64_t control) {
    uint32_t mxcsr;
    uint16_t fpucw = (uint16_t)(control >> 32);
    __asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
    mxcsr = ((uint32_t)control & ~63u) | (mxcsr & 63u); /* but for the flags of exceptions */
    __asm__ volatile("ldmxcsr %0\n\tfldcw %1" : : "m"(mxcsr), "m"(fpucw));
}

void bz_os_renew_control(uint64_t control) {
    uint32_t mxcsr = (uint32_t)control & ~63u;
    uint16_t fpucw = (uint16_t)(control >> 32);
    __asm__ volatile("ldmxcsr %0\n\tfnclex\n\tfldcw %1" : : "m"(mxcsr), "m"(fpucw));
}

void *bz_os_context_new(void *top, void (*main)(void *), void *arg) {
    /* The return address is the last word: `main` is called with the stack aligned as any function is. */
    uint64_t *frame = (uint64_t *)((uintptr_t)top / 16 * 16) - WORDS;
    frame[CONTROL] = bz_os_control();
    frame[R15] = frame[R14] = frame[R13] = 0;
    frame[R12] = (uintptr_t)arg;
    frame[RBX] = (uintptr_t)main;
    frame[RBP] = 0;
    frame[RETURN] = (uintptr_t)bz_os_context_begin;
    return frame;
}

#elif defined(__aarch64__)

/* From the stack pointer of a context up: x19 to x30, d8 to d15, fpcr, one word to align. */
enum { X19, X20, X29 = 10, X30, FPCR = 20, WORDS = 22 };

__asm__(".text\n"
        ".p2align 4\n"
        ".globl bz_os_context_switch\n"
        ".hidden bz_os_context_switch\n"
        ".type bz_os_context_switch, %function\n"
        "bz_os_context_switch:\n"
        ".cfi_startproc\n"
        "sub sp, sp, #176\n"
        ".cfi_adjust_cfa_offset 176\n"
        "stp x19, x20, [sp]\n"
        ".cfi_rel_offset x19, 0\n"
        ".cfi_rel_offset x20, 8\n"
        "stp x21, x22, [sp, #16]\n"
        ".cfi_rel_offset x21, 16\n"
        ".cfi_rel_offset x22, 24\n"
        "stp x23, x24, [sp, #32]\n"
        ".cfi_rel_offset x23, 32\n"
        ".cfi_rel_offset x24, 40\n"
        "stp x25, x26, [sp, #48]\n"
        ".cfi_rel_offset x25, 48\n"
        ".cfi_rel_offset x26, 56\n"
        "stp x27, x28, [sp, #64]\n"
        ".cfi_rel_offset x27, 64\n"
        ".cfi_rel_offset x28, 72\n"
        "stp x29, x30, [sp, #80]\n"
        ".cfi_rel_offset x29, 80\n"
        ".cfi_rel_offset x30, 88\n"
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
        "ldp x29, x30, [sp, #80]\n"
        ".cfi_restore x29\n"
        ".cfi_restore x30\n"
        "ldp x27, x28, [sp, #64]\n"
        ".cfi_restore x27\n"
        ".cfi_restore x28\n"
        "ldp x25, x26, [sp, #48]\n"
        ".cfi_restore x25\n"
        ".cfi_restore x26\n"
        "ldp x23, x24, [sp, #32]\n"
        ".cfi_restore x23\n"
        ".cfi_restore x24\n"
        "ldp x21, x22, [sp, #16]\n"
        ".cfi_restore x21\n"
        ".cfi_restore x22\n"
        "ldp x19, x20, [sp]\n"
        ".cfi_restore x19\n"
        ".cfi_restore x20\n"
        "add sp, sp, #176\n"
        ".cfi_adjust_cfa_offset -176\n"
        "ret\n"
        ".cfi_endproc\n"
        ".size bz_os_context_switch, . - bz_os_context_switch\n"
        /* main in x19, its argument in x20. */
        ".globl bz_os_context_begin\n"
        ".hidden bz_os_context_begin\n"
        ".type bz_os_context_begin, %function\n"
        "bz_os_context_begin:\n"
        ".cfi_startproc\n"
        ".cfi_undefined x30\n"
        "mov x0, x20\n"
        "blr x19\n"
        "brk #1\n"
        ".cfi_endproc\n"
        ".size bz_os_context_begin, . - bz_os_context_begin\n");

bool bz_os_can_switch(void) {
    return true;
}

void bz_os_set_control(uint64_t control) {
    __asm__ volatile("msr fpcr, %0" : : "r"(control));
}

void bz_os_renew_control(uint64_t control) {
    __asm__ volatile("msr fpcr, %0\n\tmsr fpsr, xzr" : : "r"(control));
}

void *bz_os_context_new(void *top, void (*main)(void *), void *arg) {
    uint64_t *frame = (uint64_t *)((uintptr_t)top / 16 * 16) - WORDS;
    for (int i = 0; i < WORDS; i++)
        frame[i] = 0;
    frame[X19] = (uintptr_t)main;
    frame[X20] = (uintptr_t)arg;
    frame[X30] = (uintptr_t)bz_os_context_begin;
    frame[FPCR] = bz_os_control();
    return frame;
}

#else

bool bz_os_can_switch(void) {
    return false;
}

void bz_os_set_control(uint64_t control) {
    (void)control;
}

void bz_os_renew_control(uint64_t control) {
    (void)control;
}

void *bz_os_context_new(void *top, void (*main)(void *), void *arg) {
    (void)main, (void)arg;
    return top;
}

void bz_os_context_switch(void **from, void *to) {
    (void)from, (void)to;
}

#endif
