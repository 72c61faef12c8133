#!/bin/sh
# selftest.sh: each check of this folder passes a clean tree and fails one with a single fault in it.
here=$(cd "$(dirname "$0")" && pwd)
tree=$(mktemp -d) || exit 2
trap 'rm -rf "$tree"' EXIT
failed=0

clean() {
  rm -rf "${tree:?}"/*
  mkdir -p "$tree/src/os" "$tree/src/sched" "$tree/src/env" "$tree/compat/omp/task" "$tree/compat/omp/icv"
  mkdir -p "$tree/compat/gomp" "$tree/compat/kmpc" "$tree/tests/unit" "$tree/tests/api" "$tree/include"
  cp "$here/../../.clang-format" "$tree/"
  cd "$tree" || exit 2
  echo 'project(x)' > CMakeLists.txt
  echo 'set(sources sched/deque.c os/linux.c)' > src/CMakeLists.txt
  echo 'set(sources omp/task/task.c gomp/task.c kmpc/task.c)' > compat/CMakeLists.txt
  echo 'blitz_unit_test(deque)' > tests/unit/CMakeLists.txt
  echo '#include "deque.h"' > tests/unit/test_deque.c
  echo '/* The public API. */' > include/blitz.h
  cat > src/sched/deque.h << 'END'
/* D1 and D2 publish a job. */
#include "blitz.h"

static inline void push(struct x *x) {
    bz_store_release(&x->a, 1); /* D1: pairs with D2 and D3 */
    /* D2: pairs with D1 */
    if (bz_load_acquire(&x->a) && bz_load_relaxed(&x->b))
        bz_fence_seq_cst(); /* D3: pairs with D1: either side sees the other */
}
END
  echo '#include "sched/deque.h"' > src/sched/deque.c
  printf '%b\n' '/* Linux. */' '#include "os/os.h"' > src/os/linux.c
  printf '%b\n' '/* The system. */' 'int bz_os_now(void);' > src/os/os.h
  printf '%b\n' '/* The interface. */' 'int bz_run(void);' > src/runtime.h
  printf '%b\n' '/* Tasks, which see no worker->deque. */' '#include "runtime.h"' \
    'void f(struct bz_worker *self) {\n    g(self);\n}' 'void g(struct m *self) {\n    self->deque = 0;\n}' \
    > compat/omp/task/task.c
  printf '%b\n' '/* The seam. */' 'int bomp_run(void);' > compat/omp/bomp.h
  printf '%b\n' '/* GOMP_task. */' '#include "omp/bomp.h"' > compat/gomp/task.c
  printf '%b\n' '/* Tasks. */' '#include "kmpc.h"' > compat/kmpc/task.c
  printf '%b\n' '/* The ABI. */' '#include "omp/bomp.h"' > compat/kmpc/kmpc.h
  mkdir -p cmake/man
  echo 'BZ_OPTION("BLITZ_WORKERS", workers, unsigned, count, 1)' > src/env/options.def
  echo 'ENV(OMP_DYNAMIC, flag, &s->initial.dynamic, always, "")' > compat/omp/icv/env.def
  printf '.TH X 7 2026 "Blitz " "Blitz"\n.SH NAME\nx \\- y\n.TP\n.B BLITZ_WORKERS\nWorkers.\n' > cmake/man/blitz.7
  { cat cmake/man/blitz.7; printf '.TP\n.B OMP_DYNAMIC\nDynamic.\n'; } > cmake/man/blitz-omp.7
  printf '# Blitz\n\nSee [the queue](src/sched/deque.h) and [below](#the-end).\n\n## The end\n' > README.md
}

# fault CHECK WORDS FILE LINE: with LINE added to FILE of a clean tree, CHECK says WORDS.
fault() {
  clean
  mkdir -p "$(dirname "$3")"
  printf '%b\n' "$4" >> "$3"
  if output=$(sh "$here/lint.sh" "$1" "$tree"); then
    echo "$1 misses in $3: $4"
    failed=1
  elif ! printf '%s\n' "$output" | grep -qF -e "$2"; then
    printf '%s on "%s" should say "%s" but says:\n%s\n' "$1" "$4" "$2" "$output"
    failed=1
  fi
}

for check in layers words prose lists size text links format labels man docs snippets; do
  clean
  sh "$here/lint.sh" $check "$tree" || { echo "$check refuses a clean tree"; failed=1; }
done

fault layers 'src must not include bomp.h' src/sched/deque.c '#include "bomp.h"'
fault layers 'src must not include ../compat/omp/bomp.h' src/sched/deque.c '#include "../compat/omp/bomp.h"'
fault layers 'src/os must not include sched/deque.h' src/os/linux.c '#include "sched/deque.h"'
fault layers 'env must not include sched/deque.h' src/env/names.h '#include "sched/deque.h"'
fault layers 'src/attic/: no room' src/attic/old.h 'int x;'
fault layers "struct bz_worker's context" compat/omp/task/task.c \
  'int f(struct m *self) {\n    return self->worker->context;\n}'
fault layers "struct bz_team's size" compat/gomp/task.c 'int f(struct t *team) {\n    return team->thread_team->size;\n}'
fault layers "struct bz_deque's top" compat/gomp/task.c 'int f(struct bz_deque *d) {\n    return d->top;\n}'
fault layers "struct bz_worker's deque" compat/omp/bomp.h \
  'int f(struct bz_worker *self) {\n    return g(&self->deque);\n}'
fault layers 'compat/omp must not include sched/deque.h' compat/omp/task/task.c '#include "sched/deque.h"'
fault layers 'compat/gomp must not include runtime.h' compat/gomp/task.c '#include "runtime.h"'
fault layers 'compat/gomp must not include ../omp/bomp.h' compat/gomp/task.c '#include "../omp/bomp.h"'
fault layers 'compat/kmpc must not include runtime.h' compat/kmpc/task.c '#include "runtime.h"'
fault layers 'compat/kmpc must not include gomp/loops.h' compat/kmpc/task.c '#include "gomp/loops.h"'
fault layers "struct bz_deque's top" compat/kmpc/task.c 'int f(struct bz_deque *d) {\n    return d->top;\n}'
fault layers 'compat/tools must not include os/os.h' compat/tools/stats/rows.c '#include "os/os.h"'
fault layers 'base.h must not include sched/worker.h' compat/tools/common/base.h '#include "sched/worker.h"'
fault layers 'belongs in src/base/atomic.h' compat/omp/task/task.c 'static volatile int x;'
fault layers 'belongs in src/base/atomic.h' src/sched/deque.c 'int f(int *p) {\n    return __atomic_load_n(p, 0);\n}'
fault layers 'belongs in src/os' src/sched/deque.c '#ifdef __linux__'
fault layers 'belongs in src/os/memory.c' src/sched/deque.c 'static void *f(void) {\n    return malloc(8);\n}'
fault words 'GOMP_task' src/sched/deque.c '/* called by GOMP_task */'
fault words 'omp' src/sched/deque.c '/* for omp tasks */'
fault words 'now: wait predictor' src/sched/deque.c '/* a forecast */'
fault words 'now: back-off' README.md 'It rests: bz_rest_of.'
fault prose 'src/sched:1: 4 turns' src/sched/deque.c '/* Whoever is\n * told looks\n * at it, too. */'
fault prose 'src/sched/deque.c:3: told' src/sched/deque.c '/* Whoever is\n * told looks\n * at it, too. */'
fault prose 'README.md:6:What comes goes.' README.md 'A line. What comes goes.'
fault lists 'named 0 times in src/CMakeLists.txt' src/sched/latch.c ''
fault lists 'src/sched/latch.h:1: no comment at the top' src/sched/latch.h 'int x;'
fault lists 'src/sched/pqueue.c:1: no comment at the top' src/sched/pqueue.c 'int x;'
fault lists 'named 0 times in compat/CMakeLists.txt' compat/kmpc/loop.c ''
fault lists 'named 0 times in tests/unit/CMakeLists.txt' tests/unit/test_latch.c ''
fault lists 'nothing defines BZ_NEW' bench/decisions.md '| `BZ_NEW` 4 |'
fault lists 'named 2 times' src/CMakeLists.txt 'set(more sched/deque.c)'
fault size '700 lines' src/sched/deque.c "$(seq 698)\n"
fault size '199 lines' CMakeLists.txt "$(seq 198)"
fault text 'tab' src/sched/deque.c '\tint x;'
fault text 'blank at the end' README.md 'word '
fault text 'carriage return' README.md 'word\r'
fault text '130 characters' src/sched/deque.c "// $(seq -s '' 68)"
fault links 'no such file: gone.md' README.md '[gone](gone.md)'
fault links 'no such heading: #gone' README.md '[gone](#gone)'
fault format 'not formatted' src/sched/deque.c 'int  x;'
fault format 'pointers and comments' src/sched/deque.c 'static int f(char *p) {\n    return p == NULL;\n}'
fault format 'pointers and comments' src/sched/deque.c '/*\n * x\n */'
fault man 'BLITZ_NEW is not in' src/env/options.def 'BZ_OPTION("BLITZ_NEW", new, bool, bool, false)'
fault man 'OMP_NEW is not in' compat/omp/icv/env.def 'ENV(OMP_NEW, flag, x, always, "")'
fault man 'OMP_OTHER is not in' compat/tools/trace/settings.c 'int x = bz_os_getenv("OMP_OTHER")[0];'
fault man 'BLITZ_OTHER is not in' compat/tools/trace/settings.c '#define VARIABLE "BLITZ_OTHER"'
fault man 'blitz.7' cmake/man/blitz.7 '.NOSUCHMACRO'
fault snippets 'does not show tests/unit/test_deque.c' README.md '<!-- tests/unit/test_deque.c -->\n```c\nint x;\n```'
fault snippets 'is shown on no page' tests/api/readme_x.c 'int x;'
fault snippets 'a program that no test compiles' README.md '```c\nint x;\n```'
fault docs 'blitz_run has no comment' include/blitz.h '\nBLITZ_API int blitz_run(void);'
fault labels 'no label at this access' src/sched/deque.c 'void f(void) {\n    bz_store_release(&a, 1);\n}'
fault labels 'no label at this access' src/sched/deque.c \
  'void f(void) {\n    bz_store_release(&a, 1); /* D2: pairs with D1 */\n    bz_load_acquire(&b);\n}'
fault labels 'D4 names no partner' src/sched/deque.c '/* D4: with nobody */'
fault labels 'D9, which is defined nowhere' src/sched/deque.c '/* D2: pairs with D9 */'
fault labels 'D4 pairs with D1, which does not name it back' src/sched/deque.c '/* D4: pairs with D1 */'

# library SOURCE: exports.sh on a library made of SOURCE.
library() {
  clean
  echo "$1" > x.c
  ${CC:-cc} -fPIC -c x.c && ${CC:-cc} -shared -o libx.so x.o && ar rc libx.a x.o || exit 2
  sh "$here/exports.sh" libx.so libx.a
}
library 'int blitz_run(void) { return 0; }' || { echo 'exports refuses a clean library'; failed=1; }
for bad in 'int run;' 'static int bz_omp_run(void) { return 0; } int blitz_run(void) { return bz_omp_run(); }'; do
  library "$bad" > /dev/null && { echo "exports misses: $bad"; failed=1; }
done
# objects LOWER UPPER [OLD]: calls.sh on two objects, of a room and of one above it, and one that has no source.
objects() {
  clean
  mkdir -p o/env o/team
  echo "$1" > o/env/lower.c
  echo "$2" > o/team/upper.c
  echo "$3" > o/env/old.c
  for file in env/lower team/upper env/old; do ${CC:-cc} -c o/$file.c -o o/$file.c.o || exit 2; done
  rm o/env/old.c
  one_rooms='env team' sh "$here/calls.sh" o o one
}
objects 'int low(void) { return 0; }' 'int low(void); int up(void) { return low(); }' \
  'int up(void); int old(void) { return up(); }' ||
  { echo 'calls refuses clean objects'; failed=1; }
for bad in 'int up(void); int low(void) { return up(); }' 'extern int word; int *low(void) { return &word; }'; do
  output=$(objects "$bad" 'int word = 1; int up(void) { return 0; }') && { echo "calls misses: $bad"; failed=1; }
  case $output in
    'env/lower.c: must not refer to '*' of team/upper.c') ;;
    *) echo "calls on \"$bad\" says: $output"; failed=1 ;;
  esac
done
one_rooms=env sh "$here/calls.sh" o o one > /dev/null && { echo 'calls misses a room that it does not know'; failed=1; }
mkdir none
one_rooms=env sh "$here/calls.sh" none none one > /dev/null && { echo 'calls is content without objects'; failed=1; }

[ $failed = 0 ] && echo 'every check finds its faults'
exit $failed
