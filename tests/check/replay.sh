#!/bin/sh
# replay.sh PROGRAM TEST: of a check with a planted fault, which no run of TEST without a preemption shows: a run by chance
# finds it, its number and its path show it again, and no choice of the path can be left out.
set -u
program=$1 test=$2
die() {
  echo "$*"
  exit 1
}
table() {
  sed -n '/^thread  /,/^again/p'
}

"$program" --bound 0 "$test" > replay.log || die 'It fails without a preemption, too.'
"$program" --random 20000 "$test" > replay.log && die 'No run by chance fails.'
number=$(sed -n 's/^by chance: --random 1 --seed \([0-9]*\)$/\1/p' replay.log)
path=$(sed -n 's/^again: --replay \([0-9a-z]*\) .*/\1/p' replay.log)
shown=$(table < replay.log)
[ -n "$number" ] && [ -n "$path" ] || die 'The run has no number or no path.'
"$program" --random 1 --seed "$number" "$test" > replay.log && die "Run $number does not fail."
[ "$(table < replay.log)" = "$shown" ] || die "Run $number is another one."
"$program" --replay "$path" "$test" > replay.log && die 'The path does not fail.'
[ "$(table < replay.log)" = "$shown" ] || die 'The path is another run.'

# Each choice that is not the first way is needed.
i=0
while [ $((i += 1)) -le ${#path} ]; do
  less=$(echo "$path" | sed "s/./0/$i")
  [ "$less" = "$path" ] || "$program" --replay "$less" "$test" > replay.log || die "$less fails as well."
done
echo "$shown"
