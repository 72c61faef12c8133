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
    uint32_t bits; /* of base64: an incomplete group of three bytes, */
    unsigned held; /* and its bytes */
    char bytes[BOMP_TRACE_OUT_ROOM];
};

void bomp_trace_out_flush(struct bomp_trace_out *out);

void bomp_trace_out_bytes(struct bomp_trace_out *out, const void *bytes, size_t length);
void bomp_trace_out_text(struct bomp_trace_out *out, const char *text);

/* Each writes the text `before` it: a key, for example. */
void bomp_trace_out_number(struct bomp_trace_out *out, const char *before, uint64_t number);

/* Nanoseconds as microseconds, with the decimals that are not 0. */
void bomp_trace_out_us(struct bomp_trace_out *out, const char *before, uint64_t ns);

/* A JSON string with its quotes, also safe in a script of HTML. Invalid UTF-8 becomes U+FFFD. */
void bomp_trace_out_string(struct bomp_trace_out *out, const char *before, const char *text);

/* Appends a byte in base64; ends the base64 text. */
void bomp_trace_out_byte64(struct bomp_trace_out *out, unsigned byte);
void bomp_trace_out_end64(struct bomp_trace_out *out);

/* A number in base64: seven bits in a byte, the low ones first; the eighth bit: more follow. */
void bomp_trace_out_number64(struct bomp_trace_out *out, uint64_t number);

/* A signed difference as a small unsigned number. */
static inline uint64_t bomp_trace_out_zigzag(int64_t difference) {
    return (uint64_t)difference << 1 ^ (uint64_t)(difference >> 63);
}

#endif
