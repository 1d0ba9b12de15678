// Finds which of the objects named by a client it may learn about: only those that the advertised refs reach. Git itself does not
// check this in protocol 2.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Site } from '../../catalog/site.js'
import type { Oid } from '../../git/objects/oid.js'
import type { FetchSource } from '../../repository/disk/fetching/serve-fetch.js'
import type { Services } from '../../usecases/context/services.js'
import type { FetchRequest } from './fetch-request.js'
import type { GitRequest } from './git-request.js'

/** Number of oids that the index is asked for in one turn of the event loop. */
const AT_ONCE = 1000

/**
 * Returns those of the wants, haves and shallow commits that main or a tag reaches. The index answers for main's first-parent history.
 * For other wants and shallow commits git checks whether main's merges have them. In protocol 2, for partial clones, it also checks
 * whether a want is any object that main reaches. Haves of that kind count as unknown: the client sends others.
 */
export async function reachable(
  { store, indexFollower }: Pick<Services, 'store' | 'indexFollower'>,
  site: Site,
  source: FetchSource,
  { wants, haves, shallows }: Pick<FetchRequest, 'wants' | 'haves' | 'shallows'>,
  version: GitRequest['version'],
): Promise<ReadonlySet<Oid>> {
  const known = new Set<Oid>([source.refs.main])
  for (const { oid, peeled = oid } of source.refs.tags) known.add(oid).add(peeled)
  const unknownOf = (oids: readonly Oid[]) => [...new Set(oids)].filter((oid) => !known.has(oid))
  const asked = unknownOf([...wants, ...haves, ...shallows])
  if (asked.length === 0) return known
  for (let at = 0; at < asked.length; at += AT_ONCE) {
    const part = asked.slice(at, at + AT_ONCE)
    for (const oid of await indexFollower.read(site, (index) => index.commits.onMain(part))) known.add(oid)
    await nextTurn()
  }
  const { fetches } = store
  const merged = unknownOf([...wants, ...shallows])
  if (merged.length > 0) for (const oid of await fetches.commitsAmong(source, merged)) known.add(oid)
  const others = version === 2 ? unknownOf(wants) : []
  if (others.length > 0) for (const oid of await fetches.objectsAmong(source, others)) known.add(oid)
  return known
}
