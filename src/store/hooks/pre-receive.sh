#!/bin/sh
# Refuses a push before its objects enter the repository: too many refs at once, too large objects, and replacements of objects. On
# main it refuses a history that is not linear, and trees that git or a checkout could misread.
# git runs it with lines of "<old> <new> <ref>" on standard input (githooks).
# Made by Palimpsest, and put back when it is changed.

# shellcheck source=src/store/hooks/common.sh
. "${0%/*}/common.sh"

# The service fills these in when it installs the hook: Node, the program that checks rules files, and the site's id. A repository
# that is being imported has no id yet.
node=@node@
program=@program@
site=@site@

# Limits of the API; the service keeps its settings in a file next to the repositories.
max_page_bytes=10485760
max_file_bytes=67108864
max_commit_bytes=262144
max_tree_bytes=67108864
max_depth=512
max_entries=500000
max_path_bytes=67108864
# A file of .pages, which holds facts about a page.
max_page_facts_bytes=65536
settings=${0%/*}/../../push-limits
# shellcheck source=/dev/null
if [ -r "$settings" ]; then . "$settings"; fi

# is_page <path>: a file whose name has a percent sign that begins no escape is no page, even if the name ends in .html.
is_page() {
  case $1 in
    *%[!0-9A-F]* | *%[0-9A-F][!0-9A-F]*) return 1 ;;
    *.html | *.html\") return 0 ;;
    *) return 1 ;;
  esac
}

# check_sizes <new oid>...: refuses objects that are too large for the API, on any ref. Reads the sizes from git's headers, so nothing
# is expanded, however small it was packed. An object is listed once, with one of its paths: $large gets the ids of other files that
# are longer than a page may be.
check_sizes() {
  # An import is judged in its own repository, which has no other refs.
  [ -z "$GIT_QUARANTINE_PATH" ] || set -- "$@" --not --all
  # The longest come first, so that a too long one is in the first lines. Slashes keep blanks at the ends of a path.
  found=$(git rev-list --objects "$@" |
    git cat-file --batch-check='%(objectsize) %(objecttype) %(objectname) /%(rest)/' |
    sort -rn | find_too_long)
  case $found in
    '! '*) refuse "$(printf '%s' "${found#! }" | tr '\001-\037\177' '[?*]')" ;;
  esac
  large=$found
}

# find_too_long: reads lines of "<size> <type> <oid> /<path>/". Prints "! " and the fault of the first object that is too long; if there
# is none, the oids of files that are longer than a page may be.
find_too_long() {
  least=$(least_of "$max_page_bytes" "$max_file_bytes" "$max_commit_bytes" "$max_tree_bytes" $max_page_facts_bytes)
  large=
  while read -r size type oid path; do
    # A line feed in a path makes a line of its own, which names a missing object.
    case $type in commit | tag | tree | blob) ;; *) continue ;; esac
    [ "$size" -gt "$least" ] || break
    path=${path#/}
    path=${path%/}
    most=$max_file_bytes
    what=$path
    case $type in
      commit | tag)
        most=$max_commit_bytes
        what="the $type $oid"
        ;;
      tree)
        most=$max_tree_bytes
        what='the list of files of a folder'
        ;;
      blob)
        if is_page "$path"; then most=$max_page_bytes; else most=$(most_of "$path"); fi
        [ "$size" -le "$max_page_bytes" ] || large="$large $oid"
        ;;
    esac
    if [ "$size" -gt "$most" ]; then
      printf '%s\n' "! $what has $size bytes: at most $most are accepted."
      return
    fi
  done
  echo "$large"
}

# most_of <path>: prints the longest size of a file that is no page.
most_of() {
  case $1 in
    .pages/*) echo $max_page_facts_bytes ;;
    collections/*/*) echo 1048576 ;;
    collections/*) echo 262144 ;;
    *) echo "$max_file_bytes" ;;
  esac
}

# least_of <number>...: prints the smallest number.
least_of() {
  printf '%s\n' "$@" | sort -n | head -n 1
}

# check_pages <new head>: refuses a page that is longer than a page may be.
check_pages() {
  [ -n "$large" ] || return 0
  page=$(git -c core.quotePath=true ls-tree -r -l "$1" | sort -k 4,4 -rn | while read -r _mode _type oid size path; do
    [ "$size" -gt "$max_page_bytes" ] || break
    case "$large " in *" $oid "*) ;; *) continue ;; esac
    is_page "$path" || continue
    printf '%s\n' "$path"
    break
  done)
  [ -z "$page" ] || refuse "$page is longer than a page may be: at most $max_page_bytes bytes are accepted."
}

# list_tree <commit>: prints the paths of its tree, and stops soon after the limits.
list_tree() {
  git -c core.quotePath=false ls-tree -r -t --name-only "$1" | head -n $((max_entries + 1)) | head -c $((max_path_bytes + 1))
}

# measure_tree <commit>: sets $entries, $path_bytes and $depth of its tree.
# A tree of a few kilobytes can name the same folder again and again: 10,000,000,000 files. git stops listing a tree when its reader
# has gone. Comparing two trees collects everything first, so no such tree is ever compared.
measure_tree() {
  # shellcheck disable=SC2046 # Two numbers, to be split.
  set -- "$1" $(list_tree "$1" | wc -lc)
  entries=$2
  path_bytes=$3
  # Keeps only the slashes of each path: the longest line comes last, and its line feed makes up for the missing slash at the start.
  depth=$(list_tree "$1" | tr -cd '/\n' | sort -u | tail -n 1 | wc -c)
}

is_endless() {
  measure_tree "$1"
  [ "$entries" -gt "$max_entries" ] || [ "$path_bytes" -gt "$max_path_bytes" ]
}

# check_names <old head> <new head>: refuses added names that git or a file system could misread.
check_names() {
  # One name per line: a line feed in a name becomes a control character. No name begins or ends with a slash.
  names=$(list_names "$1" "$2" | tr '\000\n' '\n\001')
  case $names in
    */unreadable/) refuse 'the pushed tree cannot be read.' ;;
    *\\*) refuse 'a file name holds a backslash or a control character. Rename it.' ;;
  esac
  if holds '\001-\011\013-\037\177' "$names"; then
    refuse 'a file name holds a backslash or a control character. Rename it.'
  fi
  [ -z "$(printf '%s\n' "$names" | tr '/' '\n' | cut -b 256- | tr -d '\n')" ] ||
    refuse 'a file name is longer than 255 bytes. Shorten it.'
  is_utf8 "$names" || refuse 'a file name is not UTF-8, or holds a control character. Rename it.'
}

# list_names <old head> <new head>: prints the names that the push adds, each followed by a NUL.
list_names() {
  if [ "$1" = "$zero" ] || is_endless "$1"; then
    git ls-tree -r -t -z --name-only "$2" || printf '/unreadable/'
  else
    git diff-tree -r -t -z --name-only --no-renames --diff-filter=AMT "$1" "$2" || printf '/unreadable/'
  fi
}

# holds <bytes> <text>: whether the text has one of the bytes, which are written as for tr.
holds() {
  [ "$(printf '%s' "$2" | tr -cd "$1" | wc -c)" -gt 0 ]
}

# is_utf8 <text>: well-formed UTF-8 (RFC 3629) without the control characters U+0080 to U+009F. Turns each byte into a letter for its
# class: c, d and e continue a character, others begin one. Then it looks for letters that may not follow each other.
is_utf8() {
  letters=$(printf '%s' "$1" | tr '\001-\177' '[.*]' | tr -s . |
    tr '\200-\217' '[c*]' | tr '\220-\237' '[d*]' | tr '\240-\277' '[e*]' |
    tr '\302' 'B' | tr '\303-\337' '[2*]' | tr '\340' 'E' | tr '\341-\354\356\357' '[3*]' | tr '\355' 'D' |
    tr '\360' 'F' | tr '\361-\363' '[4*]' | tr '\364' 'G' | tr '\300\301\365-\377' '[X*]')
  case .$letters. in
    *X* | *.[cde]* | *[B2E3DF4G][!cde]*) return 1 ;;
    *B[cd]* | *E[cd]* | *De* | *Fc* | *G[de]*) return 1 ;;
    *[B2][cde][cde]*) return 1 ;;
    *[E3DF4G][cde][!cde]* | *[E3D][cde][cde][cde]*) return 1 ;;
    *[F4G][cde][cde][!cde]* | *[F4G][cde][cde][cde][cde]*) return 1 ;;
  esac
}

# check_site_file <old head> <new head>: .site.json holds the site's id. It must stay as it is, or become the file that names this site.
check_site_file() {
  [ -n "$site" ] || return 0
  before=
  [ "$1" = "$zero" ] || before=$(git ls-tree "$1" .site.json)
  after=$(git ls-tree "$2" .site.json)
  [ "$after" != "$before" ] || return 0
  own="{\"format\":1,\"id\":\"$site\"}"
  case $after in
    100???" blob $(echo "$own" | git hash-object --stdin)"*) ;;
    *) refuse ".site.json holds the site's id and must stay. Commit it again, then push: echo '$own' > .site.json" ;;
  esac
}

# warn_of_rules <old head> <new head>: names the wrong lines of _redirects and _headers. The site skips such lines, so the push passes.
warn_of_rules() {
  if [ ! -x "$node" ] || [ ! -r "$program" ]; then return; fi
  for name in _redirects _headers; do
    oid=$(git rev-parse --verify --quiet "$2:$name") || continue
    [ "$oid" = "$(git rev-parse --verify --quiet "$1:$name")" ] && continue
    [ "$(git cat-file -t "$oid")" = blob ] || continue
    git cat-file blob "$oid" | "$node" "$program" "$name" "$(git cat-file -s "$oid")" >&2
  done
}

# git starts a hook three times for each ref that it moves.
max_refs=100
# Each listing of commits and each fetch looks through all tags.
max_tags=10000
refs=0
more_tags=0
main_old=
main_new=
tips=
while read -r old new ref; do
  refs=$((refs + 1))
  [ "$refs" -le "$max_refs" ] || refuse "a push may change at most $max_refs refs. Push them a part at a time."
  check_replacement "$new" "$ref"
  case $old,$new,$ref in
    "$zero",*,refs/tags/*) more_tags=$((more_tags + 1)) ;;
    *,"$zero",refs/tags/*) more_tags=$((more_tags - 1)) ;;
  esac
  [ "$new" = "$zero" ] || tips="$tips $new"
  [ "$ref" = refs/heads/main ] || continue
  [ "$new" != "$zero" ] || refuse 'main is the site and cannot be deleted.'
  main_old=$old
  main_new=$new
done
if [ "$more_tags" -gt 0 ]; then
  tags=$(git for-each-ref --format=. refs/tags/ | wc -l)
  [ $((tags + more_tags)) -le "$max_tags" ] ||
    refuse "the site has $tags tags: at most $max_tags are accepted. Delete some first: git push --delete."
fi
# shellcheck disable=SC2086 # Oids, to be split.
if [ -n "$tips" ]; then check_sizes $tips; fi
[ -n "$main_new" ] || exit 0
check_linear "$main_old" "$main_new"
measure_tree "$main_new"
[ "$entries" -le "$max_entries" ] || refuse 'the site would have more than 500,000 files and folders.'
[ "$path_bytes" -le "$max_path_bytes" ] || refuse "the paths of the site's files and folders would have more than 64 MiB together. Shorten them."
[ "$depth" -le "$max_depth" ] || refuse "a file lies $depth folders deep: at most $max_depth are accepted."
check_pages "$main_new"
check_names "$main_old" "$main_new"
check_site_file "$main_old" "$main_new"
warn_of_rules "$main_old" "$main_new"
exit 0
