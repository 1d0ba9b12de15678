// Finds the site that `palimpsest link` chose for a folder. The file names a site alone, never a service: a folder of somebody else could
// otherwise send the key elsewhere.

import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Unusable } from './unusable.js'

/** A hidden name: `publish` leaves it out. */
const LINK_FILE = '.palimpsest.json'

export interface LinkedSite {
  slug: string
  /** The file that names it. */
  file: string
}

/** Looks in the folder and then in those around it. Throws Unusable for a file in another form. */
export function findLinkedSite(folder: string): LinkedSite | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const slug = readLink(join(at, LINK_FILE))
    if (slug !== undefined) return { slug, file: join(at, LINK_FILE) }
    if (at === dirname(at)) return undefined
  }
}

/** Returns the path of the file. */
export function linkFolder(folder: string, slug: string): string {
  const file = join(resolve(folder), LINK_FILE)
  writeFileSync(file, `${JSON.stringify({ site: slug }, null, 2)}\n`)
  return file
}

function readLink(file: string): string | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(code)) return undefined
    throw error
  }
  try {
    const link: unknown = JSON.parse(text)
    if (typeof link === 'object' && link !== null && 'site' in link && typeof link.site === 'string') return link.site
  } catch {
    // Reported below, with the path.
  }
  throw new Unusable(`${file} is not what "palimpsest link" writes, such as {"site": "demo"}: fix or remove it.`)
}
