#include "token.h"

_Static_assert(sizeof(struct bz_token) <= sizeof(blitz_token), "a token has room for what it is");

void blitz_token_init(blitz_token *handle, const blitz_token *parent) {
    struct bz_token *token = (struct bz_token *)handle;
    token->parent = (const struct bz_token *)parent;
    bz_store_relaxed(&token->cancelled, false); /* relaxed: not shared yet */
}

void blitz_token_cancel(blitz_token *handle) {
    struct bz_token *token = (struct bz_token *)handle;
    if (!token)
        return;
    bz_tsan_before(token);
    bz_store_release(&token->cancelled, true); /* Z1: pairs with Z2 */
}

int blitz_token_is_cancelled(const blitz_token *token) {
    return bz_token_is_cancelled(token);
}
