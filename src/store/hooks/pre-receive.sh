#!/bin/sh
# Refuses a push before its objects enter the repository: too many refs at once, replacements of objects, and on main a
# history that is not linear, or trees that git or a checkout could misread. git runs it with lines of "<old> <new> <ref>" on standard input (githooks).
# Made by Palimpsest, and put back when it is changed.

# shellcheck source=src/store/hooks/common.sh
. "${0%/*}/common.sh"

# The service fills these in when it installs the hook: Node, and the program that knows rules files.
node=@node@
program=@program@

# A tree of a few kilobytes can name the same folder again and again: 10,000,000,000 files. git stops listing a tree when
# nobody reads on. Comparing two trees collects everything first, so no such tree is ever compared.
is_endless() {
  # shellcheck disable=SC2046 # Two numbers, to be split.
  set -- $(git -c core.quotePath=false ls-tree -r -t --name-only "$1" | head -n 500001 | head -c 134217729 | wc -lc)
  [ "$1" -gt 500000 ] || [ "$2" -gt 134217728 ]
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

# .site.json holds the id by which the service knows the repository. A push may put back what the file was at first.
check_site_file() {
  before=$(git rev-parse --verify --quiet "$1:.site.json") || return 0
  after=$(git rev-parse --verify --quiet "$2:.site.json") || return 0
  [ "$after" = "$before" ] && return
  first=$(git rev-list --first-parent --reverse "$1" -- .site.json | head -n 1)
  [ "$after" = "$(git rev-parse --verify --quiet "$first:.site.json")" ] ||
    refuse ".site.json holds the site's id and must not change: git checkout $first -- .site.json"
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
refs=0
while read -r old new ref; do
  refs=$((refs + 1))
  [ "$refs" -le "$max_refs" ] || refuse "a push may change at most $max_refs refs. Push them a part at a time."
  check_replacement "$new" "$ref"
  [ "$ref" = refs/heads/main ] || continue
  [ "$new" != "$zero" ] || refuse 'main is the site and cannot be deleted.'
  check_linear "$old" "$new"
  is_endless "$new" && refuse 'the site would have more than 500,000 files and folders.'
  check_names "$old" "$new"
  check_site_file "$old" "$new"
  warn_of_rules "$old" "$new"
done
exit 0
