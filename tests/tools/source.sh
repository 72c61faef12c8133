#!/bin/sh
# source.sh PROGRAM COMPILER...: PROGRAM (source_all.c) says of code that each compiler makes, with debug information of
# several kinds, the lines that addr2line says, and the functions that people would.
here=$(cd "$(dirname "$0")" && pwd)
program=${1:?usage: source.sh PROGRAM COMPILER...}
shift
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
cp "$here/source_sample.c" sample.c
status=0

fail() { echo "$*"; status=1; }

# build COMPILER FLAGS: sample.so
build() {
  # shellcheck disable=SC2086 # words
  "$1" -w -fPIC -fopenmp $2 -c sample.c -o sample.o &&
    "$1" -shared -nostdlib -Wl,-z,lazy -Wl,--build-id $2 sample.o -o sample.so || fail "$1 $2: cannot be built"
}

# agree WHAT: lines as addr2line has them, wherever it has some; and enough of them.
agree() {
  "$program" ./sample.so 1 lock_of_all > ours || fail "$1: ends with $?"
  grep '^0x' ours > code
  cut -d ' ' -f 1 code | addr2line -e sample.so > theirs
  cut -d ' ' -f 2 code | paste -d ' ' - theirs |
    awk '{ sub(/^.*\//, "", $1); sub(/ \(disc.*/, ""); sub(/^.*\//, "", $2)
           if ($2 ~ /:[?0]/) next
           lines++
           if ($1 != $2) { wrong++; if (wrong < 4) print $1 " instead of " $2 } }
         END { if (lines < 150) print lines + 0 " lines are known" }' > differs
  [ ! -s differs ] || fail "$1: $(cat differs)"
}

# has WHAT LINE FUNCTION: some code at this line is the function's, and none is another's.
has() {
  found=$(awk -v line=":$2\$" '$2 ~ line && $3 != "?" { print $3 }' code | sort -u | tr '\n' ' ')
  [ "$found" = "$3 " ] || fail "$1: line $2 is in '$found' instead of $3"
}

all='-gdwarf-2_-O0 -gdwarf-3_-O2 -gdwarf-4_-O1 -gdwarf-5_-O1_-ffunction-sections -gdwarf-5_-O2'
for cc in "$@"; do
  for flags in $all; do
    flags=$(echo "$flags" | tr _ ' ')
    what="$cc $flags"
    build "$cc" "$flags"
    agree "$what"
    has "$what" 15 region_of_static
    has "$what" 26 task_in_region
    has "$what" 34 put_into_others
    grep -q ' folder/elsewhere.inc:1003 from_elsewhere' code || fail "$what: elsewhere.inc is not found"
    grep -q '^variable lock_of_all lock_of_all 0' ours || fail "$what: $(grep '^variable' ours)"
  done
  all='-gdwarf-4_-O2 -gdwarf-5_-O1' # of the other compilers, what they are used with
  what="$cc, symbols"
  build "$cc" '-g0 -O1'
  "$program" ./sample.so 1 > code || fail "$what: ends with $?"
  grep -q ' :0 from_elsewhere$' code || fail "$what: no function"
  [ "$(grep -c 'omp_' code)" = 0 ] || fail "$what: $(grep 'omp_' code | head -n 3)"

  what="$cc, stripped"
  strip sample.so
  "$program" ./sample.so 1 > code || fail "$what: ends with $?"
  grep -q ' :0 from_elsewhere$' code || fail "$what: what is exported has no name"

  what="$cc, compressed"
  build "$cc" '-g -gz -O1'
  "$program" ./sample.so 1 > code || fail "$what: ends with $?"
  grep -q ' from_elsewhere compressed$' code || fail "$what: is not said"
done
exit $status
