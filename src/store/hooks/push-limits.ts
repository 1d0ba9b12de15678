// Tells the hooks of all repositories what the API takes: a push brings nothing that could not be sent.

import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Limits } from '../../model/limits.js'

const FILE = 'push-limits'

/** Writes the file that `pre-receive` reads from the data directory; without it, the hook has the defaults. */
export function writePushLimits(dataDir: string, limits: Pick<Limits, 'maxHtmlBytes' | 'maxFileBytes'>): void {
  const path = join(dataDir, FILE)
  const temporary = `${path}.${process.pid}`
  writeFileSync(temporary, `max_page_bytes=${limits.maxHtmlBytes}\nmax_file_bytes=${limits.maxFileBytes}\n`)
  renameSync(temporary, path)
}
