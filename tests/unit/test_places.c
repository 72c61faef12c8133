/* test_places.c: places.h, on made-up CPUs. The expected results come from libgomp, except for CPUs beyond the
 * machine. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include "omp/affinity/places.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../asserts.h"
#include "capture.h"
#include "runtime.h"

#define WORDS 32 /* 2048 CPUs */

static uint64_t usable[WORDS];

static void set_usable(const char *list) {
    memset(usable, 0, sizeof usable);
    bz_cpus_add_list(usable, WORDS, list);
}

/* "{0,1} {2}" */
static const char *written(const struct bomp_places *places) {
    static char text[100000];
    size_t used = 0;
    text[0] = '\0';
    for (unsigned i = 0; i < places->count; i++) {
        const char *before = i > 0 ? " {" : "{";
        for (unsigned cpu = 0; cpu < places->words * 64; cpu++) {
            if (bz_cpus_has(bomp_place(places, i), cpu)) {
                used += (size_t)snprintf(text + used, sizeof text - used, "%s%u", before, cpu);
                before = ",";
            }
        }
        used += (size_t)snprintf(text + used, sizeof text - used, "%s", before[0] == ',' ? "}" : "{}");
    }
    return text;
}

/* Fewer places than requested. */
#define PART "partly"

struct sample {
    const char *text;
    const char *places;  /* "": none */
    const char *message; /* in the only line; NULL: no line; PART: `places` itself is the message */
};

static void check(const struct sample *sample, bool cpus, size_t words) {
    struct bomp_places places;
    char line[BZ_MESSAGE_MAX] = "";
    struct capture c;
    capture_begin(&c);
    int rc = cpus ? bomp_places_parse_cpus(sample->text, usable, words, &places)
                  : bomp_places_parse(sample->text, usable, words, &places);
    size_t length = capture_next(&c, line, sizeof line);
    capture_end(&c);
    bool partly = sample->message && strcmp(sample->message, PART) == 0;
    bool said = sample->message && !partly ? strstr(line, sample->message) != NULL : length == 0;
    if (strcmp(written(&places), sample->places) != 0 || (rc == 0) != (sample->places[0] != '\0') || !said ||
        (rc == 0 && places.partly != partly)) {
        fail_msg("'%s': %s, partly %d, error %d, said: %s", sample->text, written(&places), places.partly, rc,
                 line);
    }
    bomp_places_free(&places);
}

static void lists(void **state) {
    (void)state;
    static const struct sample samples[] = {
        {"{0:4:2}", "{0,2,4,6}", NULL},
        {"{0:4:2}:2:1", "{0,2,4,6} {1,3,5,7}", NULL},
        {"{0}:4:3", "{0} {3} {6} {9}", NULL},
        {"{4}:3:-2", "{4} {2} {0}", NULL},
        {"0,1,2", "{0} {1} {2}", NULL},
        {"0:2:8", "{0} {8}", NULL},
        {"{0:4,!2}", "{0,1,3}", NULL},
        {"{0:4:2,1}", "{0,1,2,4,6}", NULL},
        {"{3:2:-1}", "{2,3}", NULL},
        {"{0:2:0}", "{0}", NULL},
        {"{0:99999999:0}", "{0}", NULL},
        {"{0}:2:0", "{0} {0}", NULL},
        {" { 0 : 2 : 3 } : 2 : 1 ", "{0,3} {1,4}", NULL},
        {"{+1}", "{1}", NULL},
        {"{0},{1},{0},!{0}", "{1} {0}", NULL},
        {"{0}:3,!{1}", "{0} {2}", NULL},
        {"0,1,!0", "{1}", NULL},
        {"{15:4}", "{15}", PART},
        {"{14}:4", "{14} {15}", PART},
        {"{0,!0},{1}", "{1}", PART},
        {"{63},{1}", "{1}", PART},
        {"{16},{17}", "", "None of the places contain usable logical CPUs"},
        /* CPUs that the system cannot have. */
        {"{64},{1}", "{1}", PART},
        {"{64},{70}", "", "None of the places contain usable logical CPUs"},
        {"{14:90}", "{14,15}", PART},
        {"{0:2}:48:2", "{0,1} {2,3} {4,5} {6,7} {8,9} {10,11} {12,13} {14,15}", PART},
        {"{0:2:-1}", "{0}", PART},
        {"{68:40:-2}", "{0,2,4,6,8,10,12,14}", PART},
        {"{4}:9:-2", "{4} {2} {0}", PART},
        {"{68}:33:-2", "{14} {12} {10} {8} {6} {4}", PART},
        {"{0:3,66}:2:-1", "{0,1,2} {0,1}", PART},
        {"{1:3}:2:-3", "{1,2,3} {0}", PART},
        {"{0,3}:2:62", "{0,3}", PART},
        {"{0}:65535", "{0} {1} {2} {3} {4} {5} {6} {7} {8} {9} {10} {11} {12} {13} {14} {15}", PART},
        {"{0:9223372036854775807}", "{0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15}", PART},
        {"{0:9223372036854775807:-9223372036854775807}:3:-9223372036854775807", "{0}", PART},
        {"{0}:2:9223372036854775807", "{0}", PART},
        {"{0:2:9223372036854775807}", "{0}", PART},
        {"{9}:2:-9223372036854775807", "{9}", PART},
        {"{9223372036854775807},{2}", "{2}", PART},
        {"{0:4,!99}", "{0,1,2,3}", PART},
        {"{0},{1},!{70}", "{0} {1}", PART},
        {"{!0}", "", "Logical CPU 0 to be removed is not in the set"},
        {"!{0},{0}", "", "Trying to remove a non-existing place from list of places"},
        {"{0:4},!{0:2}", "", "Trying to remove a non-existing place from list of places"},
        {"{0},{1},!{0},!{1}", "", "All places have been removed"},
        {"{0},!{0}:1", "", NULL},
        {"{0:4,!2:2}", "", NULL},
        {"{0-3}", "", NULL},
        {"{0}:0", "", NULL},
        {"{0}:65536", "", NULL},
        {"{0}:2:", "", NULL},
        {"{0:}", "", NULL},
        {"{-1}", "", NULL},
        {"{99999999999999999999}", "", NULL},
        {"{0}x", "", NULL},
        {"{0},", "", NULL},
        {",{0}", "", NULL},
        {"", "", NULL},
        {"{!0},x", "", NULL}, /* the syntax comes first */
    };
    set_usable("0-15");
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        check(&samples[i], false, 1);
    }
}

static void lists_of_cpus(void **state) {
    (void)state;
    static const struct sample samples[] = {
        {"0-3:2 4,5 , 6", "{0} {2} {4} {5} {6}", NULL},
        {"1 0", "{1} {0}", NULL},
        {"0-0:5", "{0}", NULL},
        {" 0\t1 ", "{0} {1}", NULL},
        {"5 99 6", "{5} {6}", PART},
        {"10-70:3", "{10} {13}", PART},
        {"0-9 20", "{0} {1} {2} {3} {4} {5} {6} {7} {8} {9}", PART},
        {"99", "", "None of the places contain usable logical CPUs"},
        {"20", "", "None of the places contain usable logical CPUs"},
        {"65536", "", NULL},
        {"3-1", "", NULL},
        {"0 - 3", "", NULL},
        {"0-3 : 2", "", NULL},
        {"0-3:0", "", NULL},
        {"0,,1", "", NULL},
        {"0,", "", NULL},
        {"-1", "", NULL},
        {"0:1", "", NULL},
        {"", "", NULL},
    };
    set_usable("0-15");
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        check(&samples[i], true, 1);
    }
}

/* Numbers beyond what a fixed cpu_set_t holds. */
static void many_cpus(void **state) {
    (void)state;
    static const struct sample samples[] = {
        {"{1020:8}", "{1020,1021,1022,1023,1024,1025,1026,1027}", NULL},
        {"{2040:4}:2:4", "{2040,2041,2042,2043} {2044,2045,2046,2047}", NULL},
        {"{2047},{2048}", "{2047}", PART},
        {"{0:2:2047}", "{0,2047}", NULL},
    };
    set_usable("0-2047");
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        check(&samples[i], false, WORDS);
    }
    struct bomp_places places;
    assert_int_equal(bomp_places_parse("{0}:2048", usable, WORDS, &places), 0);
    assert_int_equal(places.count, 2048);
    for (unsigned i = 0; i < places.count; i++) {
        assert_int_equal(bz_cpus_count(bomp_place(&places, i), WORDS), 1);
        assert_true(bz_cpus_has(bomp_place(&places, i), i));
    }
    bomp_places_free(&places);
}

/* On any machine, names cover the usable CPUs, each once, and numbers limit them. */
static void names(void **state) {
    (void)state;
    static const char *const all[] = {"threads", "cores", "Sockets", " ll_caches ", "numa_domains"};
    size_t words = bz_cpus_words();
    uint64_t *own = calloc(words, sizeof *own);
    assert_int_equal(bz_cpus_of_process(own), 0);
    for (int i = 0; i < 5; i++) {
        struct bomp_places places;
        unsigned cpus = 0;
        assert_int_equal(bomp_places_parse(all[i], own, words, &places), 0);
        for (unsigned p = 0; p < places.count; p++) {
            cpus += bz_cpus_count(bomp_place(&places, p), words);
            for (unsigned q = 0; q < p; q++) {
                for (size_t w = 0; w < words; w++) {
                    assert_true((bomp_place(&places, p)[w] & bomp_place(&places, q)[w]) == 0);
                }
            }
        }
        assert_int_equal(cpus, bz_cpus_count(own, words));
        bomp_places_free(&places);
        char one[40];
        snprintf(one, sizeof one, "%s ( 1 )", all[i]);
        assert_int_equal(bomp_places_parse(one, own, words, &places), 0);
        assert_int_equal(places.count, 1);
        bomp_places_free(&places);
    }
    static const char *const bad[] = {"threads()",
                                      "threads(0)",
                                      "threads(-1)",
                                      "cores(2",
                                      "cores(2)x",
                                      "cores,threads",
                                      "cores(99999999999999999999)"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct bomp_places places;
        assert_int_not_equal(bomp_places_parse(bad[i], own, words, &places), 0);
        assert_int_equal(places.count, 0);
    }
    free(own);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists),
        cmocka_unit_test(lists_of_cpus),
        cmocka_unit_test(many_cpus),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
