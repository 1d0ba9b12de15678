// Tells the hooks of all repositories the limits of the API, so that pushes obey them too. Where machines share the sites, it also tells where to push.

import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FileSizes } from '../../model/limits.js'

const FILE = 'push-limits'
/** The limits before a service has run. */
const DEFAULTS: FileSizes = { maxHtmlBytes: 10 * 1024 * 1024, maxFileBytes: 64 * 1024 * 1024 }

/**
 * Writes the file that the hooks read from the data directory; without it, they use their defaults. With `pushUrl`, the base URL of the
 * repositories, the hooks refuse to move main and tags.
 */
export function writePushLimits(dataDir: string, limits: FileSizes, pushUrl?: string): void {
  const path = join(dataDir, FILE)
  const temporary = `${path}.${process.pid}`
  const url = pushUrl === undefined ? '' : `push_url='${pushUrl}'\n`
  writeFileSync(temporary, `max_page_bytes=${limits.maxHtmlBytes}\nmax_file_bytes=${limits.maxFileBytes}\n${url}`)
  renameSync(temporary, path)
}

/** Reads the sizes from that file, or the defaults. */
export function readPushLimits(dataDir: string): FileSizes {
  const text = readUnlessMissing(join(dataDir, FILE))
  const read = (name: string) => new RegExp(`^${name}=(\\d+)$`, 'm').exec(text)?.[1]
  return {
    maxHtmlBytes: Number(read('max_page_bytes') ?? DEFAULTS.maxHtmlBytes),
    maxFileBytes: Number(read('max_file_bytes') ?? DEFAULTS.maxFileBytes),
  }
}

function readUnlessMissing(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
