/* vector.h: the upper halves of vector registers. While one is not cleared, each SSE instruction waits for the register's
 * last value. A system that restores all registers of a thread leaves them set, in a program without AVX forever
 * (bench/decisions.md#regions). */
#ifndef BZ_OS_VECTOR_H
#define BZ_OS_VECTOR_H

/* Clears the upper halves: after the thread may have lost the CPU. Cost: a branch and an instruction. */
void bz_os_clear_upper_halves(void);

#endif
