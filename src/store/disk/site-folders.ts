// Where the sites' repositories lie in the data directory.

import { join } from 'node:path'
import type { SiteRef } from '../protocol/write.js'

export function gitdirOf(dataDir: string, slug: string): string {
  return join(dataDir, `${slug}.git`)
}

/** Where a deleted site's repository lies. */
export function retiredGitdirOf(dataDir: string, site: SiteRef): string {
  return join(dataDir, '.retired', `${site.slug}-${site.id}.git`)
}
