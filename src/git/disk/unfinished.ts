// Names for repositories that are being made or removed. A name says which process does it, so that the leftovers of a crash
// can be told from the work of a running command.

import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isOfAnotherProcess, PROCESS_TAG, TAG_PATTERN } from './process-tag.js'

const UNFINISHED = new RegExp(`^\\.(?:new|import|gone)-(${TAG_PATTERN})-`)
/** An import in another container may fetch for long without a change of its folder. */
const MAX_IDLE_MS = 24 * 3600_000

/** Returns the path at which this process builds the repository `name`, before a rename gives it that name, or removes it. */
export function unfinishedPath(folder: string, kind: 'new' | 'import' | 'gone', name: string): string {
  return join(folder, `.${kind}-${PROCESS_TAG}-${name}`)
}

/** Removes unfinished repositories in `folder` whose processes are gone. */
export function clearUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, maker] = UNFINISHED.exec(name) ?? []
    const path = join(folder, name)
    if (maker === undefined || maker === PROCESS_TAG || isOfAnotherProcess(maker, path, MAX_IDLE_MS)) continue
    rmSync(path, { recursive: true, force: true })
  }
}
