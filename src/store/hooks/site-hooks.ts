// The hooks of a site's repository: main's history stays linear for every way in which git can move it, and no tree enters
// that a checkout could misread. They are POSIX shell and git alone, so that they run wherever an operator's git does.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Hooks } from '../../git/repository/hooks.js'
import { ENTRIES } from '../../threads/entries.js'

/** The first is read by the others. */
export const SITE_HOOKS: Hooks = {
  'common.sh': scriptOf('common'),
  'pre-receive': scriptOf('pre-receive')
    .replace('@node@', quoteForShell(process.execPath))
    .replace('@program@', quoteForShell(fileURLToPath(ENTRIES.pushedRules))),
  'reference-transaction': scriptOf('reference-transaction'),
}

/** The build copies the scripts beside the program that they run, bundled or not. */
function scriptOf(name: string): string {
  return readFileSync(new URL(`./${name}.sh`, ENTRIES.pushedRules), 'utf8')
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
