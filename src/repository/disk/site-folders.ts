// Paths of the sites' repositories in the data directory.

import { join } from 'node:path'
import type { SiteRef } from '../protocol/write.js'

/** Folder of deleted sites' repositories. */
export const RETIRED = '.retired'

export function gitdirOf(dataDir: string, slug: string): string {
  return join(dataDir, `${slug}.git`)
}

/** Returns the path of a deleted site's repository. */
export function retiredGitdirOf(dataDir: string, site: SiteRef): string {
  return join(dataDir, RETIRED, `${site.slug}-${site.id}.git`)
}
