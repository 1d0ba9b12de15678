// The repositories of deleted sites. Each stays until an operator removes it. The folder then stays, empty: its name keeps the slug from
// being used again, also when the catalog is made anew.

import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncDirectory } from '../../git/disk/durable.js'
import { unfinishedPath } from '../../git/disk/unfinished.js'
import { isUuid } from '../../model/ids.js'
import type { SiteRef } from '../protocol/write.js'
import { RETIRED, picturesIn, retiredDraftsOf } from './site-folders.js'

export interface RetiredRepository extends SiteRef {
  gitdir: string
  /** The time of the deletion. A change of the folder's owner or mode makes it later. */
  retiredAt: Date
  /** Whether `dropRetired` has removed it. */
  isDropped: boolean
}

export function listRetired(dataDir: string): RetiredRepository[] {
  const folder = join(dataDir, RETIRED)
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((name) => {
    const [, slug = '', id = ''] = /^(.+)-(.{36})\.git$/.exec(name) ?? []
    if (!isUuid(id)) return []
    const gitdir = join(folder, name)
    return [{ id, slug, gitdir, retiredAt: statSync(gitdir).ctime, isDropped: readdirSync(gitdir).length === 0 }]
  })
}

/** Removes the repository but its name, and all of the change requests. What an interruption leaves, the next start removes. */
export async function dropRetired(dataDir: string, site: RetiredRepository): Promise<void> {
  const { slug, id, gitdir } = site
  await rm(join(picturesIn(dataDir), id), { recursive: true, force: true })
  const drafts = retiredDraftsOf(dataDir, site)
  if (existsSync(drafts)) {
    const going = unfinishedPath(dataDir, 'gone', `${slug}-${id}-drafts`)
    renameSync(drafts, going)
    await rm(going, { recursive: true, force: true })
  }
  const going = unfinishedPath(dataDir, 'gone', `${slug}-${id}`)
  renameSync(gitdir, going)
  mkdirSync(gitdir)
  syncDirectory(join(dataDir, RETIRED))
  await rm(going, { recursive: true, force: true })
}
