#!/bin/sh
# refused.sh INCLUDE: what does not compile says why, in the words of the headers and with each compiler that there is.
set -eu
include=$1
found=0

# refused WORDS LANGUAGE:STANDARD TEXT: each compiler refuses the program TEXT and says WORDS.
refused() {
  words=$1 language=$2 text=$3
  case $language in c:*) compilers='gcc clang clang-14' ;; *) compilers='g++ clang++ clang++-14' ;; esac
  for compiler in $compilers; do
    command -v "$compiler" > /dev/null || continue
    found=1
    if said=$(printf '%s\n' "$text" |
      "$compiler" -x "${language%%:*}" "-std=${language#*:}" "-I$include" -fsyntax-only - 2>&1); then
      echo "$compiler $language takes: $text"
      exit 1
    fi
    printf '%s\n' "$said" | grep -qF -e "$words" || { printf '%s\n' "$compiler does not say '$words':" "$said"; exit 1; }
    [ "$(printf '%s\n' "$said" | grep -c ' error: ')" = 1 ] ||
      { printf '%s\n' "$compiler says more than '$words':" "$said"; exit 1; }
  done
}

refused 'blitz.hpp needs C++17' c++:c++14 '#include <blitz.hpp>'
refused 'blitz.hpp needs C++17' c:c11 '#include <blitz.hpp>'

task='#include <blitz/cilk.h>
BLITZ_TASK_1(int, same, int, n) { return n; }
BLITZ_TASK_0(int, one) { return 1; }'
for language in c:c11 c++:c++11; do
  for use in 'BLITZ_FORK(x, same, 1);' 'BLITZ_FORK_0(x, one);' 'BLITZ_CALL(same, 1);' 'BLITZ_CALL_0(one);' \
    'BLITZ_TASK_FRAME(same) f; BLITZ_FORK_AT(same, &f, 1);' 'BLITZ_TASK_FRAME(same) f; BLITZ_SYNC_AT(same, &f);'; do
    refused 'stand in the body of a task' $language "$task
int main(void) { $use return 0; }"
  done
done

[ "$found" = 1 ] || { echo 'no compiler found'; exit 1; }
echo 'all is refused as it should be'
