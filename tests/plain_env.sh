# plain_env.sh: sourced by scripts that run OpenMP programs. Takes away what the caller's environment says to the loader and
# to OpenMP.
unset LD_PRELOAD LD_LIBRARY_PATH
for variable in $(env | sed -n 's/^\(\(G\{0,1\}OMP\|KMP\)_[A-Z_]*\)=.*/\1/p'); do
    unset "$variable"
done

# At its exit a program under TSan waits for a second, for races with threads that are still about. Ours have gone to sleep
# long before.
export TSAN_OPTIONS="atexit_sleep_ms=50:${TSAN_OPTIONS:-}"
