# Prints "FILE:LINE: struct bz_TYPE's FIELD" for each field of a worker, deque, team, barrier or domain that the files name.
# What has such a type is known by its name, in that function or everywhere (self->worker, team->thread_team).
BEGIN {
    usual["worker"] = usual["bz_self"] = usual["bz_worker_adopt"] = usual["bz_team_worker"] = "worker"
    usual["thread_team"] = usual["bz_team_enter"] = "team"
    usual["domain"] = usual["bz_worker_domain"] = "domain"
    usual["deque"] = "deque"
    usual["barrier"] = "barrier"
}
FNR == 1 { inside = 0; split("", local) }
{
    line = $0
    if (inside) { # a comment
        if (!match(line, /\*\//)) next
        line = substr(line, RSTART + 2)
        inside = 0
    }
    gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
    gsub(/\/\*([^*]|\*[^\/])*\*\//, " ", line)
    if (match(line, /\/\*/)) {
        line = substr(line, 1, RSTART - 1)
        inside = 1
    }
    if (line ~ /^[A-Za-z].*\(/) split("", local)
    rest = line
    while (match(rest, /struct bz_(worker|deque|team|barrier|domain) \**[a-z_]+/)) {
        type = name = substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH)
        sub(/struct bz_/, "", type); sub(/ .*/, "", type); sub(/.*[ *]/, "", name)
        local[name] = type
    }
    rest = line
    while (match(rest, /[A-Za-z_][A-Za-z_0-9]*(\(([^()]|\([^()]*\))*\)|\[[^][]*\])*\)*(->|\.)[a-z_]+/)) {
        name = field = substr(rest, RSTART, RLENGTH)
        sub(/[^A-Za-z_0-9].*/, "", name); sub(/.*(->|\.)/, "", field)
        rest = substr(rest, RSTART + RLENGTH - length(field))
        type = name in local ? local[name] : usual[name]
        if (type != "") print FILENAME ":" FNR ": struct bz_" type "'s " field
    }
    if (line ~ /^}/) split("", local)
}
