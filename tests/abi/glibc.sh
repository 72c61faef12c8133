#!/bin/sh
# glibc.sh FILE...: none of these needs a version of the C library above GLIBC_2.17. Fails with a line for each that does.
# A file that calls nothing needs none.
for file in "$@"; do
    found=$("${OBJDUMP:-objdump}" -p "$file" | sed -n 's/^ *0x.* \(GLIBC_[^ ]*\)$/\1/p')
    [ -n "$found" ] || ! "${OBJDUMP:-objdump}" -T "$file" | grep -q '[*]UND[*]' || echo "$file: no version at all"
    [ -z "$found" ] || echo "$found" | awk -v file="$file" '!/^GLIBC_2[.]([0-9]|1[0-7])([.][0-9]+)?$/ { print file ": " $0 }'
done | {
    lines=$(cat)
    [ -z "$lines" ] && exit 0
    echo "$lines"
    exit 1
}
