// One try to bring a mirror to the head of its site. The remote has its main moved forward, never back and never by force.

import type { Site } from '../catalog/sites.js'
import type { Oid } from '../git/objects/oid.js'
import { atLeastRate } from '../remotes/least-rate.js'
import { RemoteFailed } from '../remotes/remote-failed.js'
import { openRemote, type Remote, type RemoteOptions } from '../remotes/remote.js'
import { findTarget, sendPack } from '../remotes/send-pack.js'
import { MAIN } from '../store/format/main-ref.js'
import type { Store } from '../store/store.js'

export interface Seen {
  state: 'ok' | 'diverged'
  /** Main of the remote. */
  remoteOid: Oid
}

/** Resolves with `ok` once the remote shows the site's head. Rejects with RemoteFailed, and with what the site's repository refuses. */
export async function pushMirror(store: Store, site: Site, from: RemoteOptions, maxMs: number): Promise<Seen> {
  const remote = await openRemote(from)
  try {
    const source = store.fetchSource(site)
    const { fetches } = store.repositories
    const after = source.refs.main
    const target = await findTarget(remote)
    const before = target.refs.get(MAIN) ?? null
    if (before === after) return { state: 'ok', remoteOid: after }
    if (before !== null && !(await fetches.isInMain(source, before))) return { state: 'diverged', remoteOid: before }
    const pack = atLeastRate(fetches.packSince(source, before, maxMs))
    await sendPack(remote, target, { ref: MAIN, before, after }, pack)
    await assertShows(remote, after)
    return { state: 'ok', remoteOid: after }
  } finally {
    remote.close()
  }
}

/** A report of success is not enough: some hosts refuse a push after it. */
async function assertShows(remote: Remote, oid: Oid): Promise<void> {
  const { refs } = await findTarget(remote)
  if (refs.get(MAIN) !== oid)
    throw new RemoteFailed('The remote reports that it took the push, and does not show its commit.')
}
