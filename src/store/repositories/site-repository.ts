// Where a site's repository lies, and its first commit.

import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { encodeCommit, formatMessage } from '../../git/objects/commit.js'
import { syncDirectory } from '../../git/disk/durable.js'
import { newObject } from '../../git/objects/object.js'
import { createRepository } from '../../git/repository/repository.js'
import { SITE_HOOKS } from '../hooks/site-hooks.js'
import { MODE_BLOB, patchTree } from '../../git/objects/tree.js'
import { COMMITTER } from '../format/main-ref.js'
import { encodeSiteFile, SITE_FILE } from '../format/site-format.js'
import type { SiteRef } from '../protocol/write.js'

const RETIRED = '.retired'

export function gitdirOf(dataDir: string, slug: string): string {
  return join(dataDir, `${slug}.git`)
}

/** Where a deleted site's repository lies. */
export function retiredGitdirOf(dataDir: string, site: SiteRef): string {
  return join(dataDir, RETIRED, `${site.slug}-${site.id}.git`)
}

/** Makes the repository with a first commit that holds the site file alone. Durable when it returns. */
export function createSiteRepository(dataDir: string, site: SiteRef, time: number): void {
  const blob = newObject('blob', encodeSiteFile(site.id))
  const tree = newObject('tree', patchTree(Buffer.alloc(0), [{ name: SITE_FILE, mode: MODE_BLOB, oid: blob.oid }]))
  const identity = { ...COMMITTER, time }
  const message = formatMessage(`Create site ${site.slug}`, undefined, [])
  const commit = newObject(
    'commit',
    encodeCommit({ tree: tree.oid, parents: [], author: identity, committer: identity, message }),
  )
  createRepository(gitdirOf(dataDir, site.slug), { commit, objects: [blob, tree, commit] }, SITE_HOOKS)
}

/** Takes a deleted site's repository out of the way, whole, for the operator to keep or remove. One that is gone already is no fault. */
export function retireRepository(dataDir: string, site: SiteRef): void {
  const folder = join(dataDir, RETIRED)
  if (!existsSync(gitdirOf(dataDir, site.slug))) return
  mkdirSync(folder, { recursive: true })
  renameSync(gitdirOf(dataDir, site.slug), retiredGitdirOf(dataDir, site))
  syncDirectory(folder)
  syncDirectory(dataDir)
}
