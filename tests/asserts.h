/* asserts.h: cmocka.h with the headers that it needs, and the time after which an alarm ends a test that hangs. */
#ifndef ASSERTS_H
#define ASSERTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define HANG_SECONDS 250

#endif
