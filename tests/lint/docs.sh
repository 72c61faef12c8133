# Sourced by lint.sh. Every public function has a comment: its own, or that of the lines directly above it.
for header in $(files '*.h' | grep '^include/'); do
  awk -v header="$header" '
    /^[[:space:]]*$/ { said = 0 }
    /\*\// { said = 1 }
    /^BLITZ_API / && !said {
      match($0, /blitz_[a-z0-9_]*\(/)
      print header ":" NR ": " substr($0, RSTART, RLENGTH - 1) " has no comment"
    }' "$header"
done
