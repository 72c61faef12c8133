/*
 * sanitized.h: the sanitizer that a test is built with, 1 or 0 each, for the few incompatible parts.
 */
#ifndef SANITIZED_H
#define SANITIZED_H

#if defined(__has_feature)
#    if __has_feature(address_sanitizer)
#        define UNDER_ASAN 1
#    elif __has_feature(thread_sanitizer)
#        define UNDER_TSAN 1
#    endif
#elif defined(__SANITIZE_ADDRESS__)
#    define UNDER_ASAN 1
#elif defined(__SANITIZE_THREAD__)
#    define UNDER_TSAN 1
#endif
#ifndef UNDER_ASAN
#    define UNDER_ASAN 0
#endif
#ifndef UNDER_TSAN
#    define UNDER_TSAN 0
#endif
#define SANITIZED (UNDER_ASAN || UNDER_TSAN)

#endif
