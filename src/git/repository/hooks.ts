// The hooks of a repository: main's history stays linear for every way git has to move it, and no tree comes in that a
// checkout could misread. POSIX shell and git alone, so that they run wherever an operator's git does; what they only warn of
// is said where the service's own program can be run too.

import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ENTRIES } from '../../threads/entries.js'
import { writeFileDurable } from '../disk/durable.js'

/** Both hooks get lines of `<old> <new> <ref>` on standard input (githooks). */
const COMMON = String.raw`
# Bytes are bytes, whatever the locale of who pushes.
LC_ALL=C
export LC_ALL
zero=0000000000000000000000000000000000000000

refuse() {
  echo "palimpsest: refused: $1" >&2
  exit 1
}

# The old head must be on the first-parent chain of the new one. The walk ends where the old head's history begins.
check_linear() {
  [ "$1" = "$zero" ] || [ "$1" = "$2" ] && return
  base=$(git rev-list --first-parent --parents "$2" "^$1" | tail -n 1 | cut -d ' ' -f 2)
  [ "$base" = "$1" ] ||
    refuse 'this history is linear: git pull --rebase, then push again. A merge or a forced push would hide what was published.'
}
`

/** Names the lines of a rules file that will be passed over; outside of git, since git knows no rules. */
const RULES_PROGRAM = fileURLToPath(ENTRIES.pushedRules)

const PRE_RECEIVE = `#!/bin/sh
# Made by Palimpsest, and put back when changed. Refuses a push before its objects come in.
node=${quoteForShell(process.execPath)}
program=${quoteForShell(RULES_PROGRAM)}
${COMMON}${String.raw`
# A tree of a few kilobytes can name the same folder again and again: 10,000,000,000 files. Listing a tree stops when
# nobody reads on; comparing two collects everything first, so neither side may be such a tree.
is_endless() {
  size=$(git -c core.quotePath=false ls-tree -r -t --name-only "$1" | head -n 500001 | head -c 134217729 | wc -lc)
  set -- $size
  [ "$1" -gt 500000 ] || [ "$2" -gt 134217728 ]
}

# Names that git or a file system could misread. Only what the push changes is looked at. git quotes names with control
# characters, backslashes and double quotes; the last alone are harmless.
check_names() {
  if [ "$1" = "$zero" ] || is_endless "$1"; then
    names=$(git -c core.quotePath=false ls-tree -r -t --name-only "$2") || refuse 'the pushed tree cannot be read.'
  else
    names=$(git -c core.quotePath=false diff-tree -r -t --name-only --no-renames --diff-filter=AMT "$1" "$2") ||
      refuse 'the pushed tree cannot be read.'
  fi
  names=$(printf '%s\n' "$names" | sed -e 's/\\"/_/g' -e 's/^"\(.*\)"$/\1/')
  if printf '%s\n' "$names" | grep -q '\\'; then
    refuse 'a file name holds a backslash or a control character. Rename it.'
  fi
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

# A wrong line of _redirects or _headers is passed over by the site, so it is no reason to refuse.
warn_of_rules() {
  [ -x "$node" ] && [ -r "$program" ] || return 0
  for name in _redirects _headers; do
    oid=$(git rev-parse --verify --quiet "$2:$name") || continue
    [ "$oid" = "$(git rev-parse --verify --quiet "$1:$name")" ] && continue
    [ "$(git cat-file -t "$oid")" = blob ] || continue
    git cat-file blob "$oid" | "$node" "$program" "$name" "$(git cat-file -s "$oid")" >&2
  done
}

while read -r old new ref; do
  [ "$ref" = refs/heads/main ] || continue
  [ "$new" != "$zero" ] || refuse 'main is the site and cannot be deleted.'
  check_linear "$old" "$new"
  is_endless "$new" && refuse 'the site would have more than 500,000 files and folders.'
  check_names "$old" "$new"
  warn_of_rules "$old" "$new"
done
exit 0
`}`

const REFERENCE_TRANSACTION = `#!/bin/sh
# Made by Palimpsest, and put back when changed. Refuses a move of main by any of git's commands, such as update-ref.
[ "$1" = prepared ] || exit 0
${COMMON}${String.raw`
# Packing refs removes the loose ref once packed-refs has it, which looks like deleting it here. Whoever really deletes
# a ref holds the lock of packed-refs by now.
is_packed() {
  packed=$(git rev-parse --git-path packed-refs)
  [ ! -e "$packed.lock" ] && grep -q "^$1 refs/heads/main\$" "$packed" 2>/dev/null
}

# Packing writes the value of a moment ago into packed-refs while main, unlocked, goes on. Whoever really moves main holds
# its lock, with the new value in it.
is_packing() {
  [ -e "$(git rev-parse --git-path packed-refs).lock" ] &&
    [ "$(cat "$(git rev-parse --git-path refs/heads/main).lock" 2>/dev/null)" != "$1" ]
}

while read -r old new ref; do
  case $ref in
    refs/heads/main)
      if [ "$new" = "$zero" ]; then
        is_packed "$(git rev-parse --verify --quiet refs/heads/main)" ||
          refuse 'main is the site and cannot be deleted.'
        continue
      fi
      is_packing "$new" && continue
      # A caller may leave the old value open: the ref itself, locked by now, knows it.
      check_linear "$(git rev-parse --verify --quiet refs/heads/main || echo "$zero")" "$new"
      ;;
    refs/palimpsest/*)
      # They keep what main lost. An operator who has seen to it may delete them, and packing moves nothing.
      [ "$new" = "$zero" ] || [ "$new" = "$(git rev-parse --verify --quiet "$ref")" ] ||
        refuse 'only the service moves refs/palimpsest.'
      ;;
  esac
done
exit 0
`}`

const HOOKS = { 'pre-receive': PRE_RECEIVE, 'reference-transaction': REFERENCE_TRANSACTION } as const
const EXECUTABLE = 0o755

/** Writes the hooks where they are missing, were changed, or could not be run. */
export function installHooks(gitdir: string): void {
  const folder = join(gitdir, 'hooks')
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(HOOKS)) {
    const path = join(folder, name)
    if (isInstalled(path, text)) continue
    const temporary = join(folder, `.${name}-${randomBytes(8).toString('hex')}`)
    writeFileDurable(temporary, Buffer.from(text), EXECUTABLE)
    // Whatever the umask is, operators other than the service's user must be able to run it.
    chmodSync(temporary, EXECUTABLE)
    renameSync(temporary, path)
  }
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function isInstalled(path: string, text: string): boolean {
  try {
    return (statSync(path).mode & EXECUTABLE) === EXECUTABLE && readFileSync(path, 'utf8') === text
  } catch {
    return false
  }
}
