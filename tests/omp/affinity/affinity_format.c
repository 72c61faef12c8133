// beyond libomp: its format differs
// threads: 3
// env: OMP_PROC_BIND=close
// env: OMP_DYNAMIC=false
// env: OMP_AFFINITY_FORMAT='thread %0.4n of %-'
// env: OMP_AFFINITY_FORMAT='%L %.5n|%5N|%0.5a|%A|%8A|%.8A'
// env: OMP_AFFINITY_FORMAT=' %{nesting_level}%{thread_num}%{num_threads} ' OMP_PLACES='{0},{1}'
// env: OMP_AFFINITY_FORMAT= OMP_PLACES=threads
// Formats of a thread's place: the text, its truncation, and the returned length.
#include "../check.h"

#include <string.h>

static void show(const char *what, size_t length, const char *text) {
    printf("%s: %zu [%s]\n", what, length, text);
}

int main(void) {
    static const char *const formats[] = {"",
                                          "plain",
                                          "100%%",
                                          "%n",
                                          "%t %T %L %n %N %a",
                                          "%{host}",
                                          "%5n|%.5n|%0.5n|%1n|",
                                          "%{thread_num}%{num_threads}%{ancestor_tnum}",
                                          "%A|%12A|%.12A",
                                          "%0.9a|%.9a|%9a|"};
    char text[300];

    for (size_t size = 0; size < 40; size += 3) {
        memset(text, 'x', sizeof text);
        text[sizeof text - 1] = '\0';
        size_t length = omp_get_affinity_format(text, size);
        show("get", length, size > 0 ? text : "");
        CHECK_EQ(text[size], size < sizeof text - 1 ? 'x' : '\0');
    }
    omp_set_affinity_format("now %n, level %L, of %N");
    show("get", omp_get_affinity_format(text, sizeof text), text);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        for (size_t size = 1; size <= sizeof text; size += 13) {
            size_t length = omp_capture_affinity(text, size, formats[i]);
            if (size < 30 || size > 280)
                show(formats[i], length, text);
        }
    show("null", omp_capture_affinity(text, sizeof text, NULL), text);
    show("size", omp_capture_affinity(NULL, 0, "%0.7n"), "");

    static char lines[3][100];
    int length[3];
    omp_set_max_active_levels(2);
#pragma omp parallel
    {
        int self = omp_get_thread_num();
        char inner[2][100];
#pragma omp parallel num_threads(2)
        omp_capture_affinity(inner[omp_get_thread_num()], 100, "%L.%n.%N.%a at %A");
        length[self] = (int)omp_capture_affinity(lines[self], sizeof lines[0], NULL);
        snprintf(lines[self] + length[self], sizeof lines[0] - (size_t)length[self], "; %s; %s", inner[0],
                 inner[1]);
    }
    for (int i = 0; i < 3; i++)
        show("thread", (size_t)length[i], lines[i]);
    return check_done("affinity_format");
}
