// Finds out which site each repository of a data directory is, if no catalog says so. Usually `.site.json` tells. If two repositories name
// the same id, evidence decides that no tenant can write: the hooks that the service installed, the settings, the old history.

import { basename, dirname } from 'node:path'
import { readConfig } from '../../git/repository/config-file.js'
import { firstParents } from '../../git/repository/history.js'
import { parseSlug } from '../../model/hosts/slug.js'
import type { DiskRepositories } from '../disk/disk-repositories.js'
import { siteIdIn } from '../format/site-identity.js'
import { siteIdInHooks } from '../hooks/site-hooks.js'

export interface SiteClaim {
  slug: string
  /** The id of the site that the service kept here; for an earlier version or a copy, the id in `.site.json`. */
  id: string
  /** The id in `.site.json`; undefined if it names none. */
  namedId: string | undefined
  /** Time of the first commit, in seconds. */
  createdAt: number
  /** Whether the service itself has recorded in this folder which site it keeps here. */
  isServed: boolean
  /** Whether the service has used the folder under this name. */
  isInPlace: boolean
}

const SERVED = 4
const KEPT = 2
const IN_PLACE = 1
const SAME_ID = 'docs/repair.md, "The same id twice"'

/** Reads the claim. Throws with the reason why the repository can be no site. */
export function readClaim(repositories: DiskRepositories, slug: string): SiteClaim {
  const site = { id: '', slug: parseSlug(slug) }
  const gitdir = repositories.gitdir(site)
  const repository = repositories.open(site)
  try {
    const head = repository.head()
    if (head === undefined) throw new Error('it has no main branch')
    const namedId = siteIdIn(repository.objects, repository.objects.readCommit(head).tree)
    const isInPlace = folderInSettings(gitdir) === basename(gitdir)
    const servedId = isInPlace ? siteIdInHooks(gitdir) : undefined
    const id = servedId ?? namedId
    if (id === undefined) throw new Error('its .site.json does not name a site: move it away and use "sites import"')
    let createdAt = 0
    for (const { commit } of firstParents(repository.objects, head)) createdAt = commit.committer.time
    return { slug, id, namedId, createdAt, isServed: servedId !== undefined, isInPlace }
  } finally {
    repository.close()
  }
}

/**
 * Whether no push can have given the history its id. The repository had it from the first commit on that names one, or since it was
 * imported. A push that brought another id had to remove the file before, or restored one from long ago.
 */
function hasKeptId(repositories: DiskRepositories, slug: string): boolean {
  const repository = repositories.open({ id: '', slug: parseSlug(slug) })
  const { objects } = repository
  try {
    const newer = new Set<string>()
    let current: string | undefined
    let isMissing = false
    for (const { commit } of firstParents(objects, repository.head() ?? '')) {
      const id = siteIdIn(objects, commit.tree)
      if (id === undefined) isMissing = true
      else if (isMissing || newer.has(id)) return false
      else if (id !== current) {
        if (current !== undefined) newer.add(current)
        current = id
      }
    }
    return true
  } finally {
    repository.close()
  }
}

/** Returns the folder that the service has set for the hooks: a copy names the folder of its original. */
function folderInSettings(gitdir: string): string {
  try {
    return basename(dirname(readConfig(gitdir).get('core.hookspath') ?? ''))
  } catch {
    // Unreadable settings tell nothing.
    return ''
  }
}

export interface SettledClaim {
  claim: SiteClaim
  /** The reason why the repository does not get the id that it claims. */
  leftOut?: string
}

/**
 * Gives each id to at most one repository. If several have the same right, none gets it, since a tenant's site must not go to another.
 * `deleted` holds the slugs of deleted sites by their ids.
 */
export function settleClaims(
  repositories: DiskRepositories,
  claims: readonly SiteClaim[],
  deleted: ReadonlyMap<string, string>,
): SettledClaim[] {
  const byId = new Map<string, SiteClaim[]>()
  for (const claim of claims) byId.set(claim.id, [...(byId.get(claim.id) ?? []), claim])
  return [...byId].flatMap(([id, rivals]) => settle(repositories, rivals, deleted.get(id)))
}

function settle(
  repositories: DiskRepositories,
  rivals: readonly SiteClaim[],
  deleted: string | undefined,
): SettledClaim[] {
  if (rivals.length === 1 && deleted === undefined) return rivals.map((claim) => ({ claim }))
  const judged = rivals.map((claim) => ({ claim, right: rightOf(repositories, claim) }))
  const most = Math.max(...judged.map(({ right }) => right))
  const best = judged.filter(({ right }) => right === most)
  const isSettled = best.length === 1 && (deleted === undefined || most >= KEPT)
  const owner = isSettled ? best[0]?.claim.slug : deleted
  return judged.map(({ claim, right }) => {
    if (isSettled && claim.slug === owner) return { claim }
    if (owner === undefined) {
      const others = rivals.filter((rival) => rival !== claim).map(({ slug }) => slug)
      const leftOut = `its .site.json names the same id as ${others.join(' and ')}, and nothing shows which of them owns it: ${SAME_ID}`
      return { claim, leftOut }
    }
    if (right >= KEPT) return { claim, leftOut: `it is a copy of ${owner}: its .site.json names the same id` }
    return {
      claim,
      leftOut: `its .site.json names the id of ${owner}, but its history has not always had that id: ${SAME_ID}`,
    }
  })
}

/** Returns a number that grows with the certainty that the id is the repository's own. */
function rightOf(repositories: DiskRepositories, { slug, isServed, isInPlace }: SiteClaim): number {
  if (isServed) return SERVED
  return (hasKeptId(repositories, slug) ? KEPT : 0) + (isInPlace ? IN_PLACE : 0)
}
