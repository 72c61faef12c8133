// threads: 2
// env: ACC_PROFLIB=$TEST_TOOL
// env: ACC_PROFLIB=";;$TEST_TOOL;;"
// env: ACC_PROFLIB=
// A tool that the environment names is active from the start, once, whichever other libraries of the kind are loaded.
#include <stdio.h>

int main(void) {
    puts("main");
#pragma acc parallel
    puts("parallel");
    puts("done");
    return 0;
}
