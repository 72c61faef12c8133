# Reads one C file; prints what labels.sh joins over all files, a line each:
#   def LABEL place            a comment defines LABEL
#   pair LABEL PARTNER place   a comment says that LABEL pairs with PARTNER
#   bare place: ...            an access that is not relaxed has no label
# Set: file, the name to print.

# One word of a comment. Words of one comment come in order; current and naming carry over.
function word(w) {
    if (naming && w ~ /^[(]?[A-Z][A-Z]?[A-Z]?[0-9]+[^A-Za-z0-9]*$/) {
        tail = w
        sub(/^[(]?[A-Z]+[0-9]+/, "", tail)
        gsub(/[^A-Z0-9]/, "", w)
        print "pair", current, w, file ":" FNR
        naming = tail == "" || tail == ","
    } else if (w ~ /^[A-Z][A-Z]?[A-Z]?[0-9]+:$/) {
        current = substr(w, 1, length(w) - 1)
        labelled[FNR] = 1
        naming = 0
        print "def", current, file ":" FNR
    } else if (w == "with" && previous == "pairs" && current != "") {
        naming = 1
    } else if (w != "and") {
        naming = 0
    }
    previous = w
}

function comment(text,    n, i, words) {
    n = split(text, words, /[ \t]+/)
    for (i = 1; i <= n; i++)
        if (words[i] != "" && words[i] != "*")
            word(words[i])
    commented[FNR] = 1
}

function end_comment() {
    current = previous = ""
    naming = inside = 0
}

{
    rest = $0
    code[FNR] = ""
    gsub(/"([^"\\]|\\.)*"/, "\"\"", rest)
    while (rest != "") {
        if (inside) {
            at = index(rest, "*/")
            comment(at ? substr(rest, 1, at - 1) : rest)
            rest = at ? substr(rest, at + 2) : ""
            if (at)
                end_comment()
        } else if (match(rest, /\/[*\/]/)) {
            code[FNR] = code[FNR] substr(rest, 1, RSTART - 1)
            line_comment = substr(rest, RSTART + 1, 1) == "/"
            rest = substr(rest, RSTART + 2)
            if (line_comment) {
                comment(rest)
                rest = ""
            } else {
                inside = 1
            }
        } else {
            code[FNR] = code[FNR] rest
            rest = ""
        }
    }
    if (!inside && !commented[FNR])
        end_comment()
    sub(/[ \t]+$/, "", code[FNR])
}

function ends_statement(i) {
    return code[i] == "" || code[i] ~ /[;{}]$/ || code[i] ~ /^#/
}

# Is there a label at the statement that line i belongs to, or in the comment above it?
function has_label(i,    j) {
    for (j = i; j <= FNR; j++) {
        if (labelled[j])
            return 1
        if (ends_statement(j))
            break
    }
    for (j = i - 1; j > 0 && !ends_statement(j); j--)
        if (labelled[j])
            return 1
    for (; j > 0 && code[j] == "" && commented[j]; j--)
        if (labelled[j])
            return 1
    return 0
}

END {
    order = "bz_[a-z0-9_]+_(acquire|release|acq_rel|seq_cst)[ ]*[(]|bz_fence_(light|heavy)[(]"
    for (i = 1; i <= FNR; i++)
        if (code[i] ~ /^[ \t]/ && code[i] ~ order && !has_label(i))
            print "bare " file ":" i ": no label at this access:" code[i]
}
