#!/bin/sh
# exports.sh SHARED ARCHIVE [TOOLS]: what libblitz holds, as nm sees it. The shared library exports blitz_* and nothing else;
# outside of its files the archive shows only blitz_* and bz_*, and the section of static probes; neither has a name of
# OpenMP's or its compilers'. libblitz-tools.so exports the two functions by which it starts.
usage='usage: exports.sh SHARED ARCHIVE [TOOLS]'
shared=${1:?$usage} archive=${2:?$usage} tools=${3:-}
exports=$(nm -D --defined-only "$shared" | awk '$2 ~ /[A-Z]/ { sub(/@.*/, "", $3); print $3 }') || exit 2
globals=$(nm --defined-only "$archive" 2> /dev/null | awk 'NF == 3 && $2 ~ /[A-Z]/ { print $3 }') || exit 2
all=$(nm -A "$shared" "$archive" 2> /dev/null | awk '{ print $NF }') || exit 2

found=$(
  starts=$([ -z "$tools" ] || nm -D --defined-only "$tools" | sed 's/^[0-9a-f]* //' | xargs)
  [ -z "$tools" ] || [ "$starts" = 'T blitz_tools_start T blitz_tools_watch' ] ||
    nm -D --defined-only "$tools" | sed "s|^|$tools exports |"
  [ -n "$exports" ] || echo "$shared exports nothing"
  printf '%s\n' "$exports" | grep -vE '^blitz_|^BLITZ_' | sed "s|^|libblitz.so exports |"
  printf '%s\n' "$globals" | grep -vE '^(blitz|bz)_|^_\.stapsdt\.base$' | sed "s|^|libblitz.a shows |"
  printf '%s\n' "$all" | grep -iE '(^|_)(g|b)?omp(_|$)|(^|_)kmpc?(_|$)' | sed "s|^|libblitz has |"
)
[ -z "$found" ] && exit 0
printf '%s\n' "$found"
exit 1
