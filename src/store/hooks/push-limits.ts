// Tells the hooks of all repositories what the API takes: a push brings nothing that could not be sent. On a node it says where to push.

import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Limits } from '../../model/limits.js'

const FILE = 'push-limits'

/**
 * Writes the file that the hooks read from the data directory; without it, they have the defaults. With `pushUrl`, below which the repositories
 * are, they refuse to move main and tags.
 */
export function writePushLimits(
  dataDir: string,
  limits: Pick<Limits, 'maxHtmlBytes' | 'maxFileBytes'>,
  pushUrl?: string,
): void {
  const path = join(dataDir, FILE)
  const temporary = `${path}.${process.pid}`
  const url = pushUrl === undefined ? '' : `push_url='${pushUrl}'\n`
  writeFileSync(temporary, `max_page_bytes=${limits.maxHtmlBytes}\nmax_file_bytes=${limits.maxFileBytes}\n${url}`)
  renameSync(temporary, path)
}
