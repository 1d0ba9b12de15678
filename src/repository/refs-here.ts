// Reads the refs of a site's repository on this machine. Errors are not reported.

import type { Oid } from '../git/objects/oid.js'
import { markOfTags, readTags } from '../git/repository/tag-refs.js'
import type { DiskRepositories } from './disk/disk-repositories.js'
import type { Repositories } from './protocol/repository.js'
import type { SiteRef } from './protocol/write.js'

/** Returns the commit at main; undefined if this machine has no readable repository of the site. */
export function headIfReadable(repositories: Pick<Repositories, 'open'>, site: SiteRef): Oid | undefined {
  const repository = repositories.open(site)
  try {
    return repository.head()
  } catch {
    return undefined
  } finally {
    repository.close()
  }
}

/** Whether this machine has main and tags (`markOfTags`) as the log says; if the log has ended, whether nothing is here. */
export function isAt(
  repositories: Pick<DiskRepositories, 'open' | 'gitdir'>,
  site: SiteRef,
  { head, tags }: { head: Oid | null; tags: string },
): boolean {
  if (head === null) return headIfReadable(repositories, site) === undefined
  return headIfReadable(repositories, site) === head && hasTags(repositories.gitdir(site), tags)
}

function hasTags(gitdir: string, mark: string): boolean {
  try {
    return markOfTags(readTags(gitdir)) === mark
  } catch {
    return false
  }
}
