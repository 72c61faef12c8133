/* vector.h: the upper halves of vector registers.
 *
 * While the upper half of a register of an x86 processor with AVX is not cleared, each SSE instruction waits for the
 * register's last value: iterations of loops do not overlap. A system that restores all registers of a thread leaves them
 * set until code with AVX ends, in a program for every x86-64 forever (bench/decisions.md#regions). */
#ifndef BZ_OS_VECTOR_H
#define BZ_OS_VECTOR_H

/* Clears the upper halves: after the thread may have lost the CPU. Cost: a branch and an instruction. */
void bz_os_clear_upper_halves(void);

#endif
