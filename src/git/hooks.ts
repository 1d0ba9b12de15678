// The hooks of a repository: main's history stays linear for every way git has to move it, and no tree comes in that a
// checkout could misread. POSIX shell and git alone, so that they run wherever an operator's git does.

import { chmodSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileDurable } from './durable.js'
import { randomBytes } from 'node:crypto'

/** Both hooks get lines of `<old> <new> <ref>` on standard input. */
const COMMON = `
zero=0000000000000000000000000000000000000000

refuse() {
  echo "palimpsest: $1" >&2
  exit 1
}

# The old head must be on the first-parent chain of the new one.
check_linear() {
  [ "$1" = "$zero" ] && return
  [ "$1" = "$2" ] && return
  first=$(git rev-list --first-parent --parents "$2" "^$1" | tail -n 1 | cut -d ' ' -f 2) || exit 1
  [ "$first" = "$1" ] ||
    refuse 'refused: this history is linear: git pull --rebase, then push again. A merge or a forced push would hide published commits.'
}

# Only what is new is looked at: names that a file system or git itself could read as something else.
check_names() {
  if [ "$1" = "$zero" ]; then
    names() { git ls-tree -r -t -z --name-only "$1"; }
    set -- "$2"
  else
    names() { git diff-tree -r -t -z --name-only --diff-filter=ACMRT "$1" "$2"; }
  fi
  if names "$@" | LC_ALL=C grep -zqE '[[:cntrl:]\\\\]|(^|/)[^/]{256,}(/|$)'; then
    refuse 'refused: a file name holds a backslash or a control character, or is longer than 255 bytes. Rename it.'
  fi
}
`

const PRE_RECEIVE = `#!/bin/sh
# Made by Palimpsest, and put back when changed. Refuses a push before its objects come in.
${COMMON}
while read -r old new ref; do
  [ "$ref" = refs/heads/main ] || continue
  [ "$new" = "$zero" ] && refuse 'refused: main is the site and cannot be deleted.'
  check_linear "$old" "$new"
  check_names "$old" "$new"
done
`

const REFERENCE_TRANSACTION = `#!/bin/sh
# Made by Palimpsest, and put back when changed. Refuses a move of main by git's other commands, such as update-ref.
[ "$1" = prepared ] || exit 0
${COMMON}
while read -r old new ref; do
  case $ref in
    refs/heads/main) ;;
    refs/palimpsest/*)
      [ "$new" = "$zero" ] || refuse 'refused: refs/palimpsest belongs to the service.'
      continue ;;
    *) continue ;;
  esac
  # A caller may leave the old value open, and packing refs deletes the loose one: the ref itself knows.
  old=$(git rev-parse --verify --quiet refs/heads/main || echo "$zero")
  if [ "$new" = "$zero" ]; then
    continue
  fi
  check_linear "$old" "$new"
done
exit 0
`

const HOOKS = { 'pre-receive': PRE_RECEIVE, 'reference-transaction': REFERENCE_TRANSACTION } as const

/** Writes the hooks where they are missing or were changed. */
export function installHooks(gitdir: string): void {
  const folder = join(gitdir, 'hooks')
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(HOOKS)) {
    const path = join(folder, name)
    if (readText(path) === text) continue
    const temporary = join(folder, `.${name}-${randomBytes(8).toString('hex')}`)
    writeFileDurable(temporary, Buffer.from(text))
    chmodSync(temporary, 0o755)
    renameSync(temporary, path)
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
