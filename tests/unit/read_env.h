/* read_env.h: reads an environment that the test controls, and what is written to standard error meanwhile. */
#ifndef READ_ENV_H
#define READ_ENV_H

#include <stdlib.h>

#include "../icv_store.h"
#include "capture.h"
#include "omp/icv/env.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static struct bomp_icv_store store;

/* Messages while the environment was read, line by line. */
static char lines[256][BZ_MESSAGE_MAX];
static int line_count;

static int set_up(void **state) {
    (void)state;
    return clearenv();
}

static void read_env(void) {
    struct capture c;
    icv_store_free(&store);
    capture_begin(&c);
    bomp_env_read(&store);
    line_count = 0;
    while (line_count < (int)COUNT(lines) && capture_next(&c, lines[line_count], sizeof lines[0]) > 0) {
        line_count++;
    }
    capture_end(&c);
}

#endif
