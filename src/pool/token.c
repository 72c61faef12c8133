#include "pool/token.h"

#include "env/error.h"

_Static_assert(sizeof(struct bz_token) <= sizeof(blitz_token), "a token has room for what it is");

void bz_token_check(const blitz_token *handle, const char *verb) {
    const struct bz_token *token = (const struct bz_token *)handle;
    if (token && token->life != BZ_TOKEN_MADE && (token->life != 0 || token->parent))
        bz_misuse(verb, "token", token, "was never initialised; call blitz_token_init first");
}

void blitz_token_init(blitz_token *handle, const blitz_token *parent) {
    struct bz_token *token = (struct bz_token *)handle;
    if (!token)
        bz_misuse("blitz_token_init", "token", NULL, "must not be NULL");
    bz_token_check(parent, "blitz_token_init");
    token->life = BZ_TOKEN_MADE;
    token->parent = (const struct bz_token *)parent;
    bz_store_relaxed(&token->cancelled, false); /* relaxed: not shared yet */
}

void blitz_token_cancel(blitz_token *handle) {
    struct bz_token *token = (struct bz_token *)handle;
    if (!token)
        return;
    bz_token_check(handle, "blitz_token_cancel");
    bz_tsan_before(token);
    bz_store_release(&token->cancelled, true); /* Z1: pairs with Z2 */
}

int blitz_token_is_cancelled(const blitz_token *token) {
    if (BLITZ_DEBUG >= 1)
        bz_token_check(token, "blitz_token_is_cancelled");
    return bz_token_is_cancelled(token);
}
