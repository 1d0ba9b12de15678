#!/bin/sh
# What the hooks of a site's repository share. Made by Palimpsest, and put back when it is changed.

# File names are bytes, whatever the locale of the person who pushes.
LC_ALL=C
export LC_ALL
# Histories and trees are judged as they are stored: a refs/replace/ would show others in their place (git-replace).
GIT_NO_REPLACE_OBJECTS=1
export GIT_NO_REPLACE_OBJECTS
# How git names "no commit": a ref that is created or deleted.
zero=0000000000000000000000000000000000000000

refuse() {
  # An echo may take a backslash in a name for more than it is.
  printf 'palimpsest: refused: %s\n' "$1" >&2
  exit 1
}

# check_replacement <new oid> <ref>: refs/replace/ may be deleted and nothing else, since it makes git show other objects than
# the site serves.
check_replacement() {
  case $2 in
    refs/replace/*) [ "$1" = "$zero" ] || refuse 'replacements of objects (git replace) are not accepted.' ;;
  esac
}

# check_linear <old head> <new head>: the old head must be on the first-parent chain of the new one. rev-list stops where
# the history of the old head begins.
check_linear() {
  if [ "$1" = "$zero" ] || [ "$1" = "$2" ]; then return; fi
  base=$(git rev-list --first-parent --parents "$2" "^$1" | tail -n 1 | cut -d ' ' -f 2)
  [ "$base" = "$1" ] ||
    refuse 'this history is linear: git pull --rebase, then push again. A merge or a forced push would hide what was published.'
}
