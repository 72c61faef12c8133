#!/bin/sh
# glibc.sh FILE...: none of these needs a version of the C library above GLIBC_2.17. Fails with a line for each that is.
for file in "$@"; do
    found=$("${OBJDUMP:-objdump}" -T "$file" | sed -n 's/.*(\{0,1\}\(GLIBC_2\.[0-9.]*\))\{0,1\}  *\([^ ]*\)$/\1 \2/p')
    [ -n "$found" ] || echo "$file: no version at all"
    echo "$found" | awk -v file="$file" '{ split($1, part, "."); if (part[2] > 17) print file ": " $2 " of " $1 }'
done | {
    lines=$(cat)
    [ -z "$lines" ] && exit 0
    echo "$lines"
    exit 1
}
