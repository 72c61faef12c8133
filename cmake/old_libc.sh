#!/bin/sh
# old_libc.sh FOLDER: makes libc.so.6, libpthread.so.0 and libdl.so.2 in FOLDER, without code, for the linker alone. The
# first has what the compiler's own C library exports, each name with its newest version up to GLIBC_2.17. What is linked
# against it runs with every C library from 2.17 on, and a link fails that needs a later function. Before 2.34 the functions
# of threads and of dlopen were in the two others. Prints what else to link: the loader, and the part of the C library that
# is an archive. Asks for CC and OBJDUMP.
set -eu
out=$1
libc=$($CC -print-file-name=libc.so.6)
archive=$($CC -print-file-name=libc_nonshared.a)
script=$($CC -print-file-name=libc.so)
[ -e "$libc" ] && [ -e "$archive" ] && [ -e "$script" ]
mkdir -p "$out"

# "version name size" of each; functions have the size 0.
$OBJDUMP -T "$libc" | awk '
    $NF ~ /^GLIBC_/ || /[*]UND[*]/ || !/GLIBC_[0-9]/ || /\.tbss|\.tdata/ { next }
    {
        name = $NF
        version = $(NF - 1)
        if (!gsub(/[()]/, "", version))
            linked[name] = 1
        n = split(substr(version, 7), part, ".")
        number = part[1] * 1000000 + part[2] * 1000 + (n > 2 ? part[3] : 0)
        if (number > 2017000 || (name in newest && newest[name] > number))
            next
        newest[name] = number
        versions[name] = version
        sizes[name] = / DO / ? "0x" $(NF - 2) : 0
    }
    END { for (name in linked) if (name in newest) print versions[name], name, sizes[name] }' | sort > "$out/names"
[ -s "$out/names" ]

# A program copies an object, and so needs its size.
awk '{
    printf ".globl %s\n.type %s, %%%s\n", $2, $2, $3 ? "object" : "function"
    printf $3 ? ".data\n%s: .skip %s\n.size %s, %s\n" : ".text\n%s:\n", $2, $3, $2, $3
}' "$out/names" > "$out/libc.s"
awk '$1 != node { if (node) print "};"; node = $1; print node " {" }
     { print "    \"" $2 "\";" }
     END { print "};" }' "$out/names" > "$out/libc.map"
: > "$out/none.s"

# make NAME SOURCE FLAGS...
make() {
    name=$1
    source=$2
    shift 2
    $CC -shared -nostdlib -x assembler "$source" -x none -Wl,-soname,"$name" "$@" -o "$out/$name"
}
make libc.so.6 "$out/libc.s" -Wl,--version-script="$out/libc.map"
make libpthread.so.0 "$out/none.s"
make libdl.so.2 "$out/none.s"

# GROUP ( /lib/libc.so.6 /usr/lib/libc_nonshared.a AS_NEEDED ( /lib64/ld-linux-x86-64.so.2 ) )
loader=$(sed -n 's/.*AS_NEEDED *( *\([^ ]*\) *).*/\1/p' "$script")
[ -e "$loader" ]
printf '%s;%s' "$archive" "$loader"
