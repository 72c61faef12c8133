/* Static probes (USDT, tools.md) for perf, bpftrace and SystemTap, where <sys/sdt.h> is there to build with. */
#ifndef BZ_PROBE_H
#define BZ_PROBE_H

#if defined(BLITZ_USDT) && BLITZ_USDT
#    include <sys/sdt.h>
#    define BZ_PROBE1(name, a) DTRACE_PROBE1(blitz, name, a)
#    define BZ_PROBE2(name, a, b) DTRACE_PROBE2(blitz, name, a, b)
#else
#    define BZ_PROBE1(name, a) ((void)0)
#    define BZ_PROBE2(name, a, b) ((void)0)
#endif

#endif
