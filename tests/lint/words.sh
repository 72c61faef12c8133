# Sourced by lint.sh. One word for each thing.

# The scheduler knows nothing of OpenMP: src/ and the public headers never say its names.
grep -rniE '(^|[^[:alnum:]])(lib)?[gb]?omp([^[:alnum:]]|$)|kmpc?_|(^|[^[:alnum:]])kmpc?([^[:alnum:]]|$)' \
  --include='*.[ch]' --exclude=omp-tools.h src include 2>/dev/null

# Words that are retired, and what to say instead; one a line: an extended regex, " => ", its successor. They are kept
# out of code, pages, models and tests, names of files included; not out of CHANGELOG.md and bench/, which tell of the past.
retired='
const void \*place\b|bz_wait\.place|wait->place => site (call site)
Who waits|(^|[;:,(]| so| and| of| by| for| to| from) who waits( [^f]|$) => a waiting thread, a waiter
\b[Dd]ear(er|est|ly)?\b => expensive
\b[Ss]o many\b => N, this many
\bfor ever\b => forever
bomp_watch([^d]|$)|BOMP_TASK_WATCH|BOMP_DEAL_WATCHED|bz_host_watch|\bwatch\.[ch]\b => tsan
[Zz]ombie => task completed with children
[>.]holds\b|struct bomp_task, holds => reference count, refs
[Vv]isitors?\b|VISITOR|bz_domain_visit|_visits?\b => external thread, entry
[>.]regular\b|become_regular|BZ_REGULAR => cached place
\b[Dd]oors?\b|_door|DOOR|door_ => entry (of a pool)
\b[Bb]ells?\b|BELLS|_bell|bell_ => eventcount
\b[Bb]ays?\b|_bay|_BAY => bucket
bz_manner|[>.]manner\b|BZ_EAGER|BZ_PATIENT => spin policy
look_ns|LOOK_NS|BZ_[A-Z]*_LOOKS|bz_look|bz_keep_looking|_look_on\b|patience_ns => spin
bz_rest|BZ_REST|_RESTS\b|\brests\b|enum rest => back-off
\bBZ_NAP|\b[Nn]ap(s|ped|per|ping)?\b => timed park
bz_plan|foresee|Foresee => prediction, predict
[Oo]utlook => history
[Ff]orecast|FORECAST => wait predictor
baton|bz_domain_relay|RELAY => wake chaining
\b[Cc]rews?\b|[a-z]_crew|crew_[a-z]|CREW => thread cache; cached thread
\bbz_gangs?\b|\bbz_gang_|BZ_GANG|_gang\b|\bgang(_of|_new|->|\.[a-z])|(the|a|its|each|nested) gangs?\b => team
\bsated?\b|SATED => clear (a steal request)
bz_cell|BZ_CELL|is_cell => slab, or slab object
bz_deque_publish|publish_for|publisher|[Pp]ublish(es|ed|ing)? from outside => expose
BZ_DOCKED|\b[Dd]ock(ed)?\b => attach; attached
BZ_RESERVE\b|\b(in|into) reserve\b => parked
[Dd]oubt|DOUBT => skips
gang_recall|BZ_RECALLED => reclaim
\b[Gg]uests?\b => resizer
\bbz_turns?(_|\b)|BZ_TURNS_|\bturns[.](c|h|md)\b => coroutine
\b[Ff]lows? of calls|\ba flow\b|\bflows of a\b => fiber; coroutine
\b([Gg]iv(e|es|ing|en)|gave)[ _]way\b => yield
[Hh]ungry|HUNGRY => steal request
inject_level|(item|node)\.level => priority
parking_calm|PARKING_CALM|calm_down => note_unlock
[Pp]atien(ce|t)|PATIEN => limit, or after a wake
[Pp]icky|PICKY => filtered waiter
quiet(->|\.)told|UNTOLD => last reported
[Rr]ous(e|ing)|ROUSE => wake if asleep
[Ss]ettl|SETTL => slow check, reconcile, grace period, finish or resolve
[Ss]helf|SHELF => priority queue
[Ss]tirr(er|ed)|STIRRER => pending count
[Ww]ary => slow-pop mode
bereft => orphaned
\blone (worker|one)|struct lone\b|lone_(new|destroy)|[>.]lone\b => solo worker; host domain
\b(go|goes|went|destroy|is|sleep)_apart\b|worker->apart|[>.]beside\b|BZ_BESIDE|\bis_beside\b => isolated; isolated_from
\bseats?\b|_seats?\b|\bseat_|SEAT => place assignment; thread slot
\bbomp_share(_|\b)|BOMP_SHARE_|[`"/( ]share[.](c|h)\b|ws[.]apart => construct storage; unshared
bz_deque_share => bz_deque_make_public
'
searched=$(files '*.c' '*.h' '*.cpp' '*.hpp' '*.md' '*.pml' '*.def' '*.map' '*.cmake' '*.[1-9]' '*.awk' CMakeLists.txt |
  grep -vE '^(bench/|CHANGELOG\.md|tests/lint/)')
printf '%s\n' "$retired" | grep . | while IFS= read -r line; do
  word=${line% => *} successor=${line##* => }
  printf '%s\n' "$searched" | grep -E -e "$word" | sed "s|\$|:1: a retired name; now: $successor|"
  printf '%s\n' "$searched" | xargs grep -nE -e "$word" /dev/null | sed "s|\$|  -- now: $successor|"
done
