// Paths of the sites' repositories in the data directory.

import { join } from 'node:path'
import { repositoryNameOf } from '../protocol/site-place.js'
import type { SiteRef } from '../protocol/write.js'

/** Folder of deleted sites' repositories. */
export const RETIRED = '.retired'

/** Folder of the repositories with the change requests of the sites. */
export const DRAFTS = 'drafts'

/** Returns the folder of smaller forms of pictures. Each site has one in it, by its id. */
export function picturesIn(dataDir: string): string {
  return join(dataDir, 'pictures')
}

export function gitdirOf(dataDir: string, site: Pick<SiteRef, 'slug' | 'request'>): string {
  return join(dataDir, `${repositoryNameOf(site)}.git`)
}

/** Returns the path of the repository with the site's change requests. */
export function draftsGitdirOf(dataDir: string, slug: string): string {
  return join(dataDir, DRAFTS, `${slug}.git`)
}

/** Returns the path of a deleted site's repository. */
export function retiredGitdirOf(dataDir: string, site: SiteRef): string {
  return join(dataDir, RETIRED, `${site.slug}-${site.id}.git`)
}

/** Returns the path of the repository with a deleted site's change requests. */
export function retiredDraftsOf(dataDir: string, site: SiteRef): string {
  return join(dataDir, RETIRED, `${site.slug}-${site.id}.drafts.git`)
}
