#!/bin/sh
# Has the service's judge say whether a push may enter. It needs no running service. git runs this with lines of "<old> <new> <ref>" on
# standard input, while the objects of the push are not the repository's yet (githooks).
# Made by Palimpsest, and put back when it is changed.

# The service fills these in when it installs the hook: Node, the judge, and the site's id. A repository that is being imported has no
# id yet.
node=@node@
program=@program@
site=@site@

if [ ! -x "$node" ] || [ ! -r "$program" ]; then
  echo 'palimpsest: refused: the program that judges pushes is not where it was. Nothing was changed. Start the service and open the site once: that updates this hook. Then push again.' >&2
  exit 1
fi
exec "$node" "$program" "$site"
