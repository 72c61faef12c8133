/* vector.h: the upper halves of vector registers. os.h's conventions hold.
 *
 * While the upper half of a register of an x86 processor with AVX is not cleared, each SSE instruction, which keeps that
 * half, waits for the register's last value: independent iterations of loops do not overlap. Code with AVX clears them at
 * its end. But a system that restores all registers of a thread leaves them set until then, which in a program for every
 * x86-64 may be forever (bench/decisions.md#regions). */
#ifndef BZ_OS_VECTOR_H
#define BZ_OS_VECTOR_H

/* Clears the upper halves, which called functions need not keep: after the thread may have lost the CPU.
 * Cost: a branch and an instruction; the first time of the process some microseconds. */
void bz_os_clear_upper_halves(void);

#endif
