/* emulated.c: linked into tests that run under qemu-user, which breaks down when the child of a fork() starts threads
 * and its parent had some. Leaves out the tests that do so: by convention their names begin with a_child. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

__attribute__((constructor)) static void leave_out_children(void) {
    cmocka_set_skip_filter("a_child*");
}
