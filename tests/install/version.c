/* Prints the version of its header, and of the library that runs. */
#include <blitz.h>
#include <stdio.h>

int main(void) {
    printf("%d.%d.%d %s\n", BLITZ_VERSION_MAJOR, BLITZ_VERSION_MINOR, BLITZ_VERSION_PATCH, blitz_version());
    return 0;
}
