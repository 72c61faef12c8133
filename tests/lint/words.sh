# Sourced by lint.sh. The scheduler knows nothing of OpenMP: src/ and the public headers never say its names.
grep -rniE '(^|[^[:alnum:]])(lib)?[gb]?omp([^[:alnum:]]|$)|kmpc?_|(^|[^[:alnum:]])kmpc?([^[:alnum:]]|$)' \
  --include='*.[ch]' src include 2>/dev/null
