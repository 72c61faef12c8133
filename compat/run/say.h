/* say.h: messages of the command, each one line on stderr with its name; and memory, without which the command ends. */
#ifndef RUN_SAY_H
#define RUN_SAY_H

#include <stddef.h>

/* Exit statuses, as of env(1), nohup(1) and timeout(1). */
enum {
    RUN_DIFFERS = 1,      /* a comparison or check found a difference */
    RUN_FAILED = 125,     /* we failed, or the program cannot be served */
    RUN_NO_EXECUTE = 126, /* the program exists and cannot be executed */
    RUN_NOT_FOUND = 127   /* there is no such program */
};

__attribute__((format(printf, 1, 2))) void run_say(const char *format, ...);

/* Prints the message and ends with the status. */
__attribute__((format(printf, 2, 3))) _Noreturn void run_fail(int status, const char *format, ...);

/* Memory is never freed: the command ends soon, or becomes the program. */
void *run_take(size_t bytes);
void *run_take_again(void *old, size_t bytes);
__attribute__((format(printf, 1, 2))) char *run_text(const char *format, ...);

#endif
