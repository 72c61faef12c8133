// threads: 2
// flags: -pthread
// Callbacks are registered and dropped, once or more, and toggled: one, those of an event, all, and for a thread.
#include "../omp/check.h"

#include <acc_prof.h>
#include <pthread.h>
#include <string.h>

static char called[200];

#define CALLBACK(name)                                                                                       \
    static void name(acc_prof_info *info, acc_event_info *event, acc_api_info *api) {                        \
        (void)event, (void)api;                                                                              \
        sprintf(called + strlen(called), "%s%d ", #name, info->event_type);                                  \
    }
CALLBACK(a)
CALLBACK(b)
CALLBACK(c)

enum { START = acc_ev_compute_construct_start, END = acc_ev_compute_construct_end };

static void is(const char *want, int line) {
    called[0] = '\0';
#pragma acc parallel
    __asm__ volatile("");
    if (strcmp(called, want) != 0) {
        fprintf(stderr, "line %d: %s, not %s\n", line, called, want);
        check_failures++;
    }
}
#define IS(want) is(want, __LINE__)
#define ON acc_prof_register
#define OFF acc_prof_unregister

static void order(void) {
    ON(START, a, acc_reg), ON(START, b, acc_reg), ON(START, c, acc_reg);
    ON(END, a, acc_reg), ON(END, b, acc_reg), ON(END, c, acc_reg);
    IS("a16 b16 c16 c17 b17 a17 ");
    OFF(START, a, acc_reg), OFF(END, b, acc_reg);
    IS("b16 c16 c17 a17 ");
    ON(START, a, acc_reg), ON(END, b, acc_reg);
    IS("b16 c16 a16 b17 c17 a17 ");
    OFF(START, b, acc_reg), OFF(END, b, acc_reg), OFF(END, c, acc_reg), OFF(END, a, acc_reg);
    OFF(START, c, acc_reg);
    IS("a16 ");
}

/* Here `a` is registered once. */
static void counts(void) {
    ON(START, a, acc_reg), ON(START, a, acc_reg);
    IS("a16 ");
    OFF(START, a, acc_reg), OFF(START, a, acc_reg);
    IS("a16 ");
    OFF(START, a, acc_reg);
    IS("");
    OFF(START, a, acc_reg), OFF(START, b, acc_reg);
    ON(START, a, acc_reg);
    IS("a16 ");
}

static void toggles(void) {
    ON(START, b, acc_reg);
    OFF(START, a, acc_toggle);
    IS("b16 ");
    OFF(START, a, acc_toggle), ON(START, a, acc_reg);
    IS("b16 ");
    ON(START, a, acc_toggle), OFF(START, a, acc_reg);
    IS("a16 b16 ");
    OFF(START, NULL, acc_toggle);
    IS("");
    ON(START, a, acc_toggle);
    IS("");
    ON(END, c, acc_reg);
    IS("c17 ");
    OFF(acc_ev_none, NULL, acc_toggle), ON(START, NULL, acc_toggle);
    IS("");
    ON(acc_ev_none, NULL, acc_toggle);
    IS("a16 b16 c17 ");
    OFF(START, a, acc_toggle), OFF(START, a, acc_reg), ON(START, a, acc_reg);
    IS("b16 a16 c17 ");
    ON(START, c, acc_toggle);
    IS("b16 a16 c17 ");
    OFF(START, b, acc_reg), OFF(END, c, acc_reg);
}

/* Invalid calls change nothing. */
static void nothing(void) {
    ON(acc_ev_last, b, acc_reg), ON(-1, b, acc_reg), ON(1000, b, acc_reg), ON(START, b, 3), ON(START, b, -1);
    OFF(acc_ev_last, a, acc_reg), OFF(-1, a, acc_reg), OFF(START, a, 3);
    OFF(START, a, acc_toggle_per_thread), OFF(START, NULL, acc_toggle_per_thread);
    OFF(acc_ev_none, a, acc_toggle_per_thread), OFF(acc_ev_none, a, acc_toggle);
    ON(acc_ev_none, b, acc_reg), OFF(END, NULL, acc_reg);
    IS("a16 ");
    CHECK(acc_prof_lookup("acc_no_such_function") == NULL);
}

static void *of_thread(void *arg) {
    IS("a16 ");
    OFF(acc_ev_none, NULL, acc_toggle_per_thread);
    IS("");
    return arg;
}

static void on_thread(void *(*body)(void *)) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, body, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
}

static void threads(void) {
    on_thread(of_thread);
    IS("a16 ");
    OFF(acc_ev_none, NULL, acc_toggle_per_thread);
    IS("");
    on_thread(of_thread);
    ON(acc_ev_none, NULL, acc_toggle_per_thread);
    IS("a16 ");
}

int main(void) {
    OFF(START, NULL, acc_toggle), OFF(acc_ev_none, NULL, acc_toggle); /* before there is one */
    acc_init(acc_device_host);
    order();
    counts();
    toggles();
    nothing();
    threads();
    return check_done("profile_register");
}
