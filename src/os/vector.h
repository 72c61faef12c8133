/* vector.h: the upper halves of vector registers. Part of the contract of os.h, whose conventions hold here.
 *
 * An x86 processor with AVX knows of each register whether its upper half has been cleared. If not, every instruction of
 * SSE, which leaves that half as it is, waits for what the register had before: loops that could overlap do not. Code with
 * AVX clears them when it ends; a system that gives a thread its registers back loads all of them, and they stay so
 * until the next code with AVX ends, which in a program built for every x86-64 may be never (bench/decisions.md#regions). */
#ifndef BZ_OS_VECTOR_H
#define BZ_OS_VECTOR_H

/* Clears the upper halves, which no called function has to keep: for a thread that may just have been given the CPU back.
 * Cost: a branch and an instruction; the first time of the process some microseconds. */
void bz_os_clear_upper_halves(void);

#endif
