// Which of the objects that a client names it may be told of: those that the advertised refs reach, and no others. Git itself does not
// ask that in protocol 2.

import type { Site } from '../catalog/sites.js'
import type { Oid } from '../git/objects/oid.js'
import type { AdvertisedRefs } from '../store/protocol/repository.js'
import type { Services } from '../usecases/context/services.js'
import type { FetchRequest } from './fetch-request.js'

/**
 * Those of the wants, haves and shallow commits that main or a tag reaches. The index answers for main's first-parent history; where
 * a want or a shallow commit is not in it, git looks whether main's merges have it. Haves of that kind count as unknown: the
 * client sends others.
 */
export async function reachable(
  { store, indexFollower }: Pick<Services, 'store' | 'indexFollower'>,
  site: Site,
  refs: AdvertisedRefs,
  { wants, haves, shallows }: FetchRequest,
): Promise<ReadonlySet<Oid>> {
  const known = new Set<Oid>([refs.main])
  for (const { oid, peeled = oid } of refs.tags) known.add(oid).add(peeled)
  const asked = [...new Set([...wants, ...haves, ...shallows])].filter((oid) => !known.has(oid))
  if (asked.length === 0) return known
  for (const oid of await indexFollower.read(site, (index) => index.commits.onMain(site.id, asked))) known.add(oid)
  const open = [...new Set([...wants, ...shallows])].filter((oid) => !known.has(oid))
  if (open.length > 0) for (const oid of await store.ancestorsOf(site, refs.main, open)) known.add(oid)
  return known
}
