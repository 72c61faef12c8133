/* out.h: writes a file by a buffer and write(2), for code that may use neither malloc nor stdio. */
#ifndef BOMP_TRACE_OUT_H
#define BOMP_TRACE_OUT_H

#include <stddef.h>
#include <stdint.h>

#define BOMP_TRACE_OUT_ROOM 65536u

/* For one thread. */
struct bomp_trace_out {
    int file;
    int failed; /* an errno value; nothing is written after that */
    size_t length;
    uint32_t bits; /* of base64: what does not make a group of three bytes yet, */
    unsigned held; /* and how many bytes that are */
    char bytes[BOMP_TRACE_OUT_ROOM];
};

void bomp_trace_out_flush(struct bomp_trace_out *out);

void bomp_trace_out_bytes(struct bomp_trace_out *out, const void *bytes, size_t length);
void bomp_trace_out_text(struct bomp_trace_out *out, const char *text);
void bomp_trace_out_number(struct bomp_trace_out *out, uint64_t number);

/* Nanoseconds as microseconds, with the decimals that there are. */
void bomp_trace_out_us(struct bomp_trace_out *out, uint64_t ns);

/* A JSON string with its quotes, also safe in a script of HTML. Invalid UTF-8 becomes U+FFFD. */
void bomp_trace_out_string(struct bomp_trace_out *out, const char *text);

/* Bytes in base64, and their end. */
void bomp_trace_out_byte64(struct bomp_trace_out *out, unsigned byte);
void bomp_trace_out_end64(struct bomp_trace_out *out);

/* Numbers of any size in base64: seven bits in a byte, the low ones first, and the eighth while there are more. */
void bomp_trace_out_number64(struct bomp_trace_out *out, uint64_t number);

/* The difference of two, small where they are near, whichever is the larger. */
static inline uint64_t bomp_trace_out_zigzag(int64_t difference) {
    return (uint64_t)difference << 1 ^ (uint64_t)(difference >> 63);
}

#endif
