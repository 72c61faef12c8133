/* The readers of env_lists.c and env_llvm.c, for env.c. Each sets the target from the text of a variable and returns 0,
 * or an errno value and leaves the target, or a number below. */
#ifndef BOMP_ENV_KINDS_H
#define BOMP_ENV_KINDS_H

#include "omp/base/text.h"
#include "omp/base/tuning.h"
#include "omp/icv/icv.h"

#define BOMP_ENV_BAD_CHUNK (-1)    /* the kind was taken, with its own chunk or 1 */
#define BOMP_ENV_SMALL (-2)        /* less than BZ_STACK_LEAST */
#define BOMP_ENV_NO_VALUE (-8)     /* the text ends where a value should be */
#define BOMP_ENV_NO_ALLOCATOR (-9) /* no allocator can have these traits */
/* The target is set, but not to what the text says. */
#define BOMP_ENV_PARTLY (-4)    /* to the part of it that is possible */
#define BOMP_ENV_ENDLESS (-5)   /* to infinity */
#define BOMP_ENV_NO_EFFECT (-6) /* it has no effect here */
#define BOMP_ENV_NEAREST (-7)   /* to what LLVM's runtime makes of it */
#define BOMP_ENV_IS_TAKEN(code) (((code) <= BOMP_ENV_PARTLY && (code) >= BOMP_ENV_NEAREST) || (code) == 0)

/* Targets of more than one part (env.def): one of the words bomp_NAME_words; a number up to `most`; bytes, in units of
 * `unit` without a suffix. */
#define BOMP_ONE_OF(field, name) &(field), &bomp_##name##_words
#define BOMP_UP_TO(field, most) &(field), most
#define BOMP_IN(field, unit) &(field), unit

/* The first word for waiting is ours. */
extern const struct bomp_words bomp_wait_words, bomp_offload_words, bomp_display_words, bomp_tool_words,
    bomp_library_words, bomp_bind_words;

int bomp_read_word(const char *text, uint32_t *value, const struct bomp_words *words);
int bomp_read_capped(const char *text, uint32_t *number, uint32_t most);
int bomp_read_threads(const char *text, struct bomp_icv_store *store);
int bomp_read_bind(const char *text, struct bomp_icv_store *store);
int bomp_read_schedule(const char *text, struct bomp_icv *icv);
int bomp_read_places(const char *text, struct bomp_icv_store *store);
int bomp_read_allocator(const char *text, struct bomp_global *global);
/* Where a bad text is wrong. */
const char *bomp_allocator_fault(const char *text);
int bomp_read_cpus(const char *text, struct bomp_icv_store *store);

/* Sets store->global.usable. 0 or an errno value. */
int bomp_find_usable(struct bomp_icv_store *store);

/* Whether the process asks for LLVM's runtime: only then KMP_ and LIBOMP_ variables count. */
bool bomp_llvm_is_asked(void);

int bomp_read_llvm_switch(const char *text, bool *on);
int bomp_read_threads_most(const char *text, uint32_t *limit);
int bomp_read_blocktime(const char *text, uint64_t *spin_ns);
int bomp_read_subset(const char *text, struct bomp_icv_store *store);
int bomp_read_affinity(const char *text, struct bomp_icv_store *store);
int bomp_read_helper_affinity(const char *text, struct bomp_icv_store *store);

#endif
