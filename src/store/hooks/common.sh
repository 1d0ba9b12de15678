#!/bin/sh
# Shared parts of the hooks of a site's repository. Made by Palimpsest, and put back when it is changed.

# File names are bytes, in any locale of the person who pushes.
LC_ALL=C
export LC_ALL
# Judges histories and trees as they are stored: a refs/replace/ would show other objects instead (git-replace).
GIT_NO_REPLACE_OBJECTS=1
export GIT_NO_REPLACE_OBJECTS
# The oid that git uses for "no commit": a ref that is created or deleted.
zero=0000000000000000000000000000000000000000

refuse() {
  # An echo may interpret a backslash in a name.
  printf 'palimpsest: refused: %s\n' "$1" >&2
  exit 1
}

# check_replacement <new oid> <ref>: refs/replace/ may only be deleted, since it makes git show other objects than the site serves.
check_replacement() {
  case $2 in
    refs/replace/*) [ "$1" = "$zero" ] || refuse 'replacements of objects (git replace) are not accepted.' ;;
  esac
}

# check_linear <old head> <new head>: the old head must be on the first-parent chain of the new one. rev-list stops at the commits
# that the old head reaches.
check_linear() {
  if [ "$1" = "$zero" ] || [ "$1" = "$2" ]; then return; fi
  base=$(git rev-list --first-parent --parents "$2" "^$1" | tail -n 1 | cut -d ' ' -f 2)
  [ "$base" = "$1" ] ||
    refuse 'this history is linear: git pull --rebase, then push again. A merge or a forced push would hide what was published.'
}
