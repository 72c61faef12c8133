/* The limits on the number of threads. os.h's conventions hold. */
#ifndef BZ_OS_LIMITS_H
#define BZ_OS_LIMITS_H

#include <stddef.h>

/* After the system refused a thread: the limit that is reached, as "ulimit -u is 500", cut to size - 1 bytes; "": none is
 * known. Cost: many system calls. */
void bz_os_thread_limit(char *text, size_t size);

#endif
