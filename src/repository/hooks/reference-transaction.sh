#!/bin/sh
# Refuses every move of main that is not linear, and every change of refs/palimpsest and refs/replace, for every git command:
# update-ref runs no pre-receive. Once refs have moved, it makes them durable before the command reports success.
# git runs it with lines of "<old> <new> <ref>" on standard input (githooks).
# Made by Palimpsest, and put back when it is changed.

# File names are bytes, and histories count as they are stored: a refs/replace/ would show other objects (git-replace).
LC_ALL=C
GIT_NO_REPLACE_OBJECTS=1
export LC_ALL GIT_NO_REPLACE_OBJECTS
# The oid that git uses for "no commit": a ref that is created or deleted.
zero=0000000000000000000000000000000000000000

# Where machines share the sites, the service puts here the URL to push to instead.
push_url=
settings=${0%/*}/../../push-limits
# shellcheck source=/dev/null
if [ -r "$settings" ]; then . "$settings"; fi

refuse() {
  # An echo may interpret a backslash in a name.
  printf 'palimpsest: refused: %s\n' "$1" >&2
  exit 1
}

# git syncs the file of a ref, but not the folder in which it renames that file: a power cut could undo an acknowledged push.
if [ "$1" = committed ]; then
  moved=
  while read -r _old new _ref; do [ "$new" = "$zero" ] || moved=1; done
  if [ -n "$moved" ]; then
    sync -f "${GIT_DIR:-.}" || echo 'palimpsest: warning: the disk did not confirm the push. Push again, or look with git ls-remote.' >&2
  fi
  exit 0
fi
[ "$1" = prepared ] || exit 0

line_feed='
'

# is_packing <value> <new value> <ref>: packing writes the value that it read a moment ago into packed-refs, while the ref is not locked
# and may move. A command that moves a ref holds its lock, with the new value in it. Then packing removes the loose ref, which looks like
# a deletion. A command that deletes a ref holds the lock of packed-refs at this point.
is_packing() {
  packed=$(git rev-parse --git-path packed-refs)
  if [ "$2" != "$zero" ]; then
    [ -e "$packed.lock" ] && [ "$(cat "$(git rev-parse --git-path "$3").lock" 2>/dev/null)" != "$2" ]
    return
  fi
  [ ! -e "$packed.lock" ] || return 1
  case $line_feed$(cat "$packed" 2>/dev/null)$line_feed in
    *"$line_feed$1 $3$line_feed"*) return 0 ;;
    *) return 1 ;;
  esac
}

# refuse_copy: only a push over HTTP may move refs that machines share.
refuse_copy() {
  [ -n "$push_url" ] || return 0
  folder=$(pwd)
  refuse "this is the copy of one node. Push over HTTP instead: git push $push_url/${folder##*/}"
}

# check_linear <old head> <new head>: the old head must be on the first-parent chain of the new one. rev-list stops at the commits
# that the old head reaches.
check_linear() {
  [ -n "$1" ] || return 0
  base=$(git rev-list --first-parent --parents "$2" "^$1" | tail -n 1 | cut -d ' ' -f 2)
  [ "$base" = "$1" ] ||
    refuse 'this history is linear: git pull --rebase, then push again. A merge or a forced push would hide what was published.'
}

while read -r _old new ref; do
  case $ref in
    refs/heads/main | refs/palimpsest/* | refs/replace/*) ;;
    refs/tags/*) [ -n "$push_url" ] || continue ;;
    *) continue ;;
  esac
  # The caller may leave the old value open; the ref itself has it, and is locked now.
  value=$(git rev-parse --verify --quiet "$ref")
  if [ "$new" = "$value" ] || is_packing "$value" "$new" "$ref"; then continue; fi
  case $ref in
    refs/heads/main)
      [ "$new" != "$zero" ] || refuse 'main is the site and cannot be deleted.'
      refuse_copy
      check_linear "$value" "$new"
      ;;
    refs/tags/*) refuse_copy ;;
    # These refs keep commits that main lost. An operator may delete them afterwards.
    refs/palimpsest/*) [ "$new" = "$zero" ] || refuse 'only the service moves refs/palimpsest.' ;;
    refs/replace/*) [ "$new" = "$zero" ] || refuse 'replacements of objects (git replace) are not accepted.' ;;
  esac
done
exit 0
