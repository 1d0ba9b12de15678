#!/bin/sh
# Refuses every move of main that is not linear, and every change of refs/palimpsest and refs/replace, for every git command:
# update-ref runs no pre-receive. Once refs have moved, it makes them durable before the command reports success.
# git runs it with lines of "<old> <new> <ref>" on standard input (githooks).
# Made by Palimpsest, and put back when it is changed.

# shellcheck source=src/store/hooks/common.sh
. "${0%/*}/common.sh"

# With several nodes, the service puts here the URL to push to instead.
push_url=
settings=${0%/*}/../../push-limits
# shellcheck source=/dev/null
if [ -r "$settings" ]; then . "$settings"; fi

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

# is_packed <value> <ref>: packing refs removes the loose ref once packed-refs has it, which looks like a deletion here. A command
# that deletes a ref holds the lock of packed-refs at this point.
is_packed() {
  packed=$(git rev-parse --git-path packed-refs)
  [ ! -e "$packed.lock" ] || return 1
  case $(cat "$packed" 2>/dev/null) in
    "$1 $2" | "$1 $2$line_feed"* | *"$line_feed$1 $2" | *"$line_feed$1 $2$line_feed"*) return 0 ;;
    *) return 1 ;;
  esac
}

# is_packing <new value> <ref>: packing writes the value that it read a moment ago into packed-refs, while the ref is not locked and
# may move. A command that moves a ref holds its lock, with the new value in it.
is_packing() {
  [ -e "$(git rev-parse --git-path packed-refs).lock" ] &&
    [ "$(cat "$(git rev-parse --git-path "$2").lock" 2>/dev/null)" != "$1" ]
}

# check_copy <value> <new value>: only a push over HTTP may move refs that nodes share.
check_copy() {
  if [ -z "$push_url" ] || [ "$1" = "$2" ]; then return; fi
  folder=$(pwd)
  refuse "this repository is the copy of one node: git push $push_url/${folder##*/}"
}

while read -r _old new ref; do
  case $ref in
    refs/heads/main)
      # The caller may leave the old value open; the ref itself has it, and is locked now.
      head=$(git rev-parse --verify --quiet refs/heads/main)
      if [ "$new" = "$zero" ]; then
        is_packed "$head" "$ref" || refuse 'main is the site and cannot be deleted.'
      elif ! is_packing "$new" "$ref"; then
        check_copy "$head" "$new"
        check_linear "${head:-$zero}" "$new"
      fi
      ;;
    refs/tags/*)
      [ -n "$push_url" ] || continue
      tag=$(git rev-parse --verify --quiet "$ref")
      if [ "$new" = "$zero" ]; then
        is_packed "$tag" "$ref" || check_copy "$tag" "$new"
      elif ! is_packing "$new" "$ref"; then
        check_copy "$tag" "$new"
      fi
      ;;
    refs/palimpsest/*)
      # These refs keep commits that main lost. An operator may delete them afterwards, and packing moves nothing.
      [ "$new" = "$zero" ] || [ "$new" = "$(git rev-parse --verify --quiet "$ref")" ] ||
        refuse 'only the service moves refs/palimpsest.'
      ;;
    refs/replace/*)
      [ "$new" = "$(git rev-parse --verify --quiet "$ref")" ] || check_replacement "$new" "$ref"
      ;;
  esac
done
exit 0
