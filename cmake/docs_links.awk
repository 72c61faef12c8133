# Of doxygen's pages, all in one folder and given as arguments: each link to a page, an anchor or a file that is not there.

function base(path) {
  sub(/.*\//, "", path)
  return path
}

FNR == 1 {
  name = base(FILENAME)
  folder = substr(FILENAME, 1, length(FILENAME) - length(name))
  is_there[name] = 1
}

/class="qindex"/ { next } # letters above a list of names; doxygen 1.17 gives some of them no anchor

{
  line = $0
  while (match(line, /(href|src|id|name)="[^"]*"/)) {
    found = substr(line, RSTART, RLENGTH - 1)
    line = substr(line, RSTART + RLENGTH)
    what = found
    sub(/=.*/, "", what)
    value = found
    sub(/^[a-z]*="/, "", value)
    if (what == "id" || what == "name")
      is_there[name "#" value] = 1
    else if (value !~ /^[a-z]+:/ && value != "#" && !((name, value) in seen)) {
      seen[name, value] = 1
      links[++count] = value
      from[count] = name
    }
  }
}

END {
  for (i = 1; i <= count; i++) {
    link = links[i]
    file = link
    sub(/#.*/, "", file)
    if (file == "")
      file = from[i]
    anchor = link ~ /#/ ? substr(link, index(link, "#")) : ""
    if (file !~ /\.html$/) {
      if ((getline text < (folder file)) < 0) {
        print from[i] ": a link to " link ": no such file"
        bad = 1
      }
      close(folder file)
    } else if (!(file in is_there) || (anchor != "" && !((file anchor) in is_there))) {
      print from[i] ": a link to " link " leads nowhere"
      bad = 1
    }
  }
  if (!count) {
    print "no links found"
    bad = 1
  }
  exit bad
}
