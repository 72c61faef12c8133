/* say.h: what the command says to its user, and memory, without which it ends. Each message is one line on stderr that
 * begins with the command's name. */
#ifndef RUN_SAY_H
#define RUN_SAY_H

#include <stddef.h>

/* Exit statuses of our own, as env(1), nohup(1) and timeout(1) have them. */
enum {
    RUN_DIFFERS = 1,      /* what was compared or checked is not as it should be */
    RUN_FAILED = 125,     /* we failed, or the program cannot be served */
    RUN_NO_EXECUTE = 126, /* the program is there and cannot be executed */
    RUN_NOT_FOUND = 127   /* there is no such program */
};

__attribute__((format(printf, 1, 2))) void run_say(const char *format, ...);

/* Says it and ends with that status. */
__attribute__((format(printf, 2, 3))) _Noreturn void run_fail(int status, const char *format, ...);

/* Memory is given back when the command ends, or becomes the program. */
void *run_take(size_t bytes);
void *run_take_again(void *old, size_t bytes);
__attribute__((format(printf, 1, 2))) char *run_text(const char *format, ...);

#endif
