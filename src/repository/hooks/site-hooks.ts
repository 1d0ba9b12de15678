// The hooks of a site's repository. They keep main's history linear, whatever command of git moves it, and let no push enter that the
// judge refuses. They need a POSIX shell, git, coreutils, and Node with the judge where they were when the hooks were installed.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Hooks } from '../../git/repository/hooks.js'
import { isUuid } from '../../model/ids.js'
import { ENTRIES } from '../../threads/entries.js'

const JUDGE = 'pre-receive'
const judgeText = scriptOf(JUDGE)
  .replace('@node@', quoteForShell(process.execPath))
  .replace('@program@', quoteForShell(fileURLToPath(ENTRIES.pushJudge)))

/** The hooks of a repository that does not belong to a site yet. Earlier versions had one more file. */
export const SITE_HOOKS: Hooks = {
  [JUDGE]: judgeText.replace('@site@', "''"),
  'reference-transaction': scriptOf('reference-transaction'),
  'common.sh': null,
}

/** The hooks of a repository with change requests: the service alone writes to it. */
export const DRAFTS_HOOKS: Hooks = {
  [JUDGE]: `#!/bin/sh
echo 'Change requests are written by the service: git push <URL of the site> HEAD:refs/for/main, or any write with changeRequest=new' >&2
exit 1
`,
}

/** Returns the hooks of a site's repository, which know its id. */
export function hooksOfSite(siteId: string): Hooks {
  return { ...SITE_HOOKS, [JUDGE]: judgeText.replace('@site@', quoteForShell(siteId)) }
}

/** Returns the id of the site for which the repository's hooks were last installed; undefined if they name none. */
export function siteIdInHooks(gitdir: string): string | undefined {
  try {
    const [, id = ''] = /^site='(.*)'$/m.exec(readFileSync(join(gitdir, 'hooks', JUDGE), 'utf8')) ?? []
    return isUuid(id) ? id : undefined
  } catch {
    // A copied repository has no hooks.
    return undefined
  }
}

/** Reads a script. The build copies the scripts next to the program that they run, bundled or not. */
function scriptOf(name: string): string {
  return readFileSync(new URL(`./${name}.sh`, ENTRIES.pushJudge), 'utf8')
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
