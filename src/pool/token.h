/* Cancellation tokens: a flag and a parent. Tasks check it before they begin. */
#ifndef BZ_TOKEN_H
#define BZ_TOKEN_H

#include "base/atomic.h"
#include "base/compiler.h"
#include "base/sanitizer.h"
#include "blitz.h"

struct bz_token {
    const struct bz_token *parent; /* NULL: none; constant */
    struct bz_aflag cancelled;     /* set by anyone, for good; read by anyone */
    uint32_t life;                 /* BZ_TOKEN_MADE; constant */
};

/* In bz_token.life. A zeroed token is also valid: without a parent, and not cancelled. */
#define BZ_TOKEN_MADE UINT32_C(0x546f6b65)

/* Reports misuse unless the token was initialised; NULL: does nothing. */
void bz_token_check(const blitz_token *handle, const char *verb);

/* The token in a verb's options; NULL: none. */
static inline const blitz_token *bz_token_in(const blitz_options *options, const char *verb) {
    const blitz_token *token = options ? options->token : NULL;
    if (bz_unlikely(token))
        bz_token_check(token, verb);
    return token;
}

static inline bool bz_token_is_cancelled(const blitz_token *handle) {
    for (const struct bz_token *at = (const struct bz_token *)handle; bz_unlikely(at); at = at->parent)
        if (bz_load_acquire(&at->cancelled)) { /* Z2: pairs with Z1 */
            bz_tsan_after(at);
            return true;
        }
    return false;
}

#endif
