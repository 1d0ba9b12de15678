// Tells the hooks of all repositories the limits of the API, so that pushes obey them too. On a node it also tells where to push.

import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Limits } from '../../model/limits.js'

const FILE = 'push-limits'

/**
 * Writes the file that the hooks read from the data directory; without it, they use their defaults. With `pushUrl`, the base URL of the
 * repositories, the hooks refuse to move main and tags.
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
