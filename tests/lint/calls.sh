#!/bin/sh
# calls.sh OBJECTS SOURCES LIST: the files SOURCES/ROOM/NAME.c were compiled to OBJECTS/ROOM/NAME.c.o. None may refer to what
# one of a later room defines, in the order of LIST_rooms of rooms.sh. Objects without a source are old.
here=$(cd "$(dirname "$0")" && pwd)
objects=${1:?usage: calls.sh OBJECTS SOURCES LIST}
sources=${2:?usage: calls.sh OBJECTS SOURCES LIST}
. "$here/rooms.sh"
eval "rooms=\$${3:?usage: calls.sh OBJECTS SOURCES LIST}_rooms"

found=$(find "$objects" -name '*.o' | while read -r object; do
  source=$sources/${object#"$objects"/}
  [ -e "${source%.o}" ] && echo "$object"
done | xargs -r nm -A -g | awk -v objects="$objects/" -v rooms="$rooms" '
  BEGIN { n = split(rooms, order, " "); for (i = 1; i <= n; i++) rank[order[i]] = i }
  {
    at = index($0, ":")
    file = substr($0, length(objects) + 1, at - 1 - length(objects)); sub(/\.o$/, "", file)
    symbol = $NF; type = $(NF - 1)
    if (type ~ /^[Uwv]$/) uses[++used] = file " " symbol
    else defined[symbol] = file
    objects_seen[file] = 1
  }
  function room(file) { sub(/\/.*/, "", file); return file }
  END {
    for (file in objects_seen) {
      count++
      if (!(room(file) in rank)) print file ": in no room of " rooms
    }
    if (count == 0) print "no object files in " objects
    for (i = 1; i <= used; i++) {
      split(uses[i], use, " "); definer = defined[use[2]]
      if (definer != "" && rank[room(definer)] > rank[room(use[1])])
        print use[1] ": must not refer to " use[2] " of " definer
    }
  }' | grep -vE "$excepted" | sort)
[ -z "$found" ] && exit 0
printf '%s\n' "$found"
exit 1
