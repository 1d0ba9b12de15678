// Repositories that are still being made, beside those that are whole: under names that say which process makes them,
// so that what a crash left is told from what another command is at.

import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isOfAnotherProcess, PROCESS_TAG } from './process-tag.js'

const UNFINISHED = /^\.(?:new|import)-(\d+\.\d+\.[0-9a-f]*)-/

/** Where this process makes the repository `name` before it gets that name by a rename. */
export function unfinishedPath(folder: string, kind: 'new' | 'import', name: string): string {
  return join(folder, `.${kind}-${PROCESS_TAG}-${name}`)
}

/** Removes what processes that are gone left unfinished in `folder`. */
export function clearUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, maker] = UNFINISHED.exec(name) ?? []
    if (maker === undefined || maker === PROCESS_TAG || isOfAnotherProcess(maker)) continue
    rmSync(join(folder, name), { recursive: true, force: true })
  }
}
