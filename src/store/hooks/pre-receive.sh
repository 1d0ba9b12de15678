#!/bin/sh
# Refuses a push before its objects enter the repository: too many refs at once, objects too large, replacements of objects, and
# on main a history that is not linear, or trees that git or a checkout could misread. git runs it with lines of "<old> <new> <ref>" on standard input (githooks).
# Made by Palimpsest, and put back when it is changed.

# shellcheck source=src/store/hooks/common.sh
. "${0%/*}/common.sh"

# The service fills these in when it installs the hook: Node, the program that knows rules files, and the site's id, which a
# repository that is being imported does not have yet.
node=@node@
program=@program@
site=@site@

# What the API takes; the service keeps its settings in a file beside the repositories.
max_page_bytes=10485760
max_file_bytes=67108864
max_commit_bytes=262144
max_tree_bytes=67108864
max_depth=512
max_entries=500000
max_path_bytes=67108864
# A percent sign that begins no escape: a file with one in its name is no page, whatever the name ends in.
no_escape='%([^0-9A-F]|[0-9A-F][^0-9A-F])'
settings=${0%/*}/../../push-limits
# shellcheck source=/dev/null
if [ -r "$settings" ]; then . "$settings"; fi

# check_sizes <new oid>...: refuses objects that could not be sent over the API, whatever refs they are for. The sizes are those
# of git's headers, so that nothing is expanded, however small it was packed. An object is listed once, with one of its paths:
# $large holds the ids of other files that are longer than a page may be.
check_sizes() {
  # An import is judged in its own repository, where there are no other refs.
  [ -z "$GIT_QUARANTINE_PATH" ] || set -- "$@" --not --all
  found=$(git rev-list --objects "$@" |
    git cat-file --batch-check='%(objecttype) %(objectname) %(objectsize) %(rest)' |
    awk -v page="$max_page_bytes" -v file="$max_file_bytes" -v commit="$max_commit_bytes" -v tree="$max_tree_bytes" \
      -v no_escape="$no_escape" '
      function refuse(what, most) {
        gsub(/[\001-\037\177]/, "?", what)
        print "! " what " has " $3 " bytes: at most " most " are accepted."
        exit
      }
      $1 == "commit" && $3 > commit { refuse("the commit " $2, commit) }
      $1 == "tag" && $3 > commit { refuse("the tag " $2, commit) }
      $1 == "tree" && $3 > tree { refuse("the list of files of a folder", tree) }
      $1 != "blob" { next }
      {
        path = substr($0, length($1 $2 $3) + 4)
        most = file
        if (path ~ /\.html$/ && path !~ no_escape) most = page
        else if (path ~ /^\.pages\//) most = 65536
        else if (path ~ /^collections\/[^\/]*$/) most = 262144
        else if (path ~ /^collections\//) most = 1048576
        if ($3 > most) refuse(path, most)
        if ($3 > page) print $2
      }')
  case $found in
    *'! '*) refuse "${found##*! }" ;;
  esac
  large=$found
}

# check_pages <new head>: refuses a file that is longer than a page may be where it is a page.
check_pages() {
  [ -n "$large" ] || return 0
  page=$(git -c core.quotePath=true ls-tree -r "$1" | grep -F -e "$large" | grep '\.html"*$' | grep -E -v "$no_escape" |
    head -n 1 | cut -f 2)
  [ -z "$page" ] || refuse "$page is longer than a page may be: at most $max_page_bytes bytes are accepted."
}

# measure_tree <commit>: sets $entries, $path_bytes and $depth of its tree.
# A tree of a few kilobytes can name the same folder again and again: 10,000,000,000 files. git stops listing a tree when
# nobody reads on. Comparing two trees collects everything first, so no such tree is ever compared.
measure_tree() {
  # shellcheck disable=SC2046 # Three numbers, to be split.
  set -- $(git -c core.quotePath=false ls-tree -r -t --name-only "$1" | head -n $((max_entries + 1)) | head -c $((max_path_bytes + 1)) |
    awk -F / '{ bytes += length($0) + 1; if (NF > depth) depth = NF } END { print NR + 0, bytes + 0, depth + 0 }')
  entries=$1
  path_bytes=$2
  depth=$3
}

is_endless() {
  measure_tree "$1"
  [ "$entries" -gt "$max_entries" ] || [ "$path_bytes" -gt "$max_path_bytes" ]
}

# Refuses names that git or a file system could misread, among the names that the push adds. git quotes names that hold
# control characters, backslashes or double quotes; names with double quotes alone are harmless.
check_names() {
  if [ "$1" = "$zero" ] || is_endless "$1"; then
    names=$(git -c core.quotePath=false ls-tree -r -t --name-only "$2") || refuse 'the pushed tree cannot be read.'
  else
    names=$(git -c core.quotePath=false diff-tree -r -t --name-only --no-renames --diff-filter=AMT "$1" "$2") ||
      refuse 'the pushed tree cannot be read.'
  fi
  names=$(printf '%s\n' "$names" | sed -e 's/\\"/_/g' -e 's/^"\(.*\)"$/\1/')
  case $names in
    *\\*) refuse 'a file name holds a backslash or a control character. Rename it.' ;;
  esac
  if printf '%s\n' "$names" | grep -Eq '[^/]{255}[^/]'; then
    refuse 'a file name is longer than 255 bytes. Shorten it.'
  fi
  # Well-formed UTF-8 (RFC 3629) without the control characters U+0080 to U+009F.
  more=$(printf '[\200-\277]')
  utf8=$(printf '[\001-\177]|\302[\240-\277]|[\303-\337]%s' "$more")
  utf8=$(printf '%s|\340[\240-\277]%s|[\341-\354\356\357]%s%s|\355[\200-\237]%s' "$utf8" "$more" "$more" "$more" "$more")
  utf8=$(printf '%s|\360[\220-\277]%s%s|[\361-\363]%s%s%s|\364[\200-\217]%s%s' \
    "$utf8" "$more" "$more" "$more" "$more" "$more" "$more" "$more")
  if printf '%s\n' "$names" | grep -Evq "^($utf8)*$"; then
    refuse 'a file name is not UTF-8, or holds a control character. Rename it.'
  fi
}

# .site.json holds the id by which the service knows the repository. It stays as it is, or becomes the file that names this site.
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

# Names the wrong lines of _redirects and _headers. The site skips such lines, so they are no reason to refuse the push.
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
# Whoever lists commits, or fetches, has all tags looked through.
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
