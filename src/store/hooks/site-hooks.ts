// The hooks of a site's repository: main's history stays linear for every way in which git can move it, and no tree enters
// that a checkout could misread. They are POSIX shell, git and coreutils alone, so that they run wherever an operator's git does.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Hooks } from '../../git/repository/hooks.js'
import { isUuid } from '../../model/ids.js'
import { ENTRIES } from '../../threads/entries.js'

const JUDGE = 'pre-receive'
const judgeText = scriptOf(JUDGE)
  .replace('@node@', quoteForShell(process.execPath))
  .replace('@program@', quoteForShell(fileURLToPath(ENTRIES.pushedRules)))

/** The hooks of a repository that is no site's yet. The first is read by the others. */
export const SITE_HOOKS: Hooks = {
  'common.sh': scriptOf('common'),
  [JUDGE]: judgeText.replace('@site@', "''"),
  'reference-transaction': scriptOf('reference-transaction'),
}

/** The hooks of a site's repository: they know its id. */
export function hooksOfSite(siteId: string): Hooks {
  return { ...SITE_HOOKS, [JUDGE]: judgeText.replace('@site@', quoteForShell(siteId)) }
}

/** The id of the site that the repository's hooks were installed for last; undefined where they name none. */
export function siteIdInHooks(gitdir: string): string | undefined {
  try {
    const [, id = ''] = /^site='(.*)'$/m.exec(readFileSync(join(gitdir, 'hooks', JUDGE), 'utf8')) ?? []
    return isUuid(id) ? id : undefined
  } catch {
    // A copy of a repository has none.
    return undefined
  }
}

/** The build copies the scripts beside the program that they run, bundled or not. */
function scriptOf(name: string): string {
  return readFileSync(new URL(`./${name}.sh`, ENTRIES.pushedRules), 'utf8')
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
