// Tries once to bring a mirror to main and the tags of its site. Main only moves forward, never by force. Of the remote's other refs,
// only tags that came from the site are changed.

import type { Site } from '../../catalog/site.js'
import type { Oid } from '../../git/objects/oid.js'
import { ServiceError } from '../../model/errors.js'
import { atLeastRate } from '../../git/remotes/least-rate.js'
import { RemoteFailed } from '../../git/remotes/remote-failed.js'
import { openRemote, type Remote, type RemoteOptions } from '../../git/remotes/remote.js'
import type { RefChange } from '../../git/objects/ref-change.js'
import { findTarget, sendPack } from '../../git/remotes/send-pack.js'
import { MAIN } from '../format/main-ref.js'
import type { Store } from '../store.js'
import { planTags, tagEntry, type TagOids, tagsFromSite } from './tag-changes.js'

export interface MirrorTarget extends RemoteOptions {
  /** The tags that the remote has from the site, in the form of `tagEntry`. */
  tags: ReadonlySet<string>
  /** Called with the remote's tags from the site: before a push may change them, and once the remote has shown them. */
  keepTags: (tags: ReadonlySet<string>) => Promise<void>
  maxMs: number
}

export interface Seen {
  /** `ok` if the remote shows the refs of the site. */
  state: 'ok' | 'diverged' | 'failed'
  /** Main of the remote; null if it has none. */
  remoteOid: Oid | null
  /** Null if the state is `ok`. */
  error: string | null
}

interface OnePush {
  changes: readonly RefChange[]
  /** Commits that the remote has before this push. */
  had: readonly Oid[]
}

/** Refs of one push: services refuse more. */
const MAX_REFS = 100
const MAX_NAMED = 3
const TAGS = 'refs/tags/'
const DIVERGED =
  'The remote has commits that this site does not have. Nothing is pushed until you retry: bring them into this site, or put the remote back.'
const NOT_DURABLE = 'The disk of the service does not confirm the newest commit. It is pushed once the disk does.'
const NOT_SHOWN = 'The remote reported success, but does not show'

/** Tries once to push. Rejects with RemoteFailed, and with errors of the site's repository. */
export async function pushMirror(store: Store, site: Site, to: MirrorTarget): Promise<Seen> {
  const remote = await openRemote(to)
  try {
    const source = store.fetchSource(site)
    await untilDurable(store, site)
    const { fetches } = store
    const { main } = source.refs
    const tags = new Map(source.refs.tags.map(({ name, oid }) => [name, oid]))
    const target = await findTarget(remote)
    const before = target.refs.get(MAIN) ?? null
    if (before !== null && before !== main && !(await fetches.isInMain(source, before)))
      return { state: 'diverged', remoteOid: before, error: DIVERGED }
    const { changes, conflicts } = planTags(tags, tagsAmong(target.refs), to.tags)
    if (changes.length > 0) await to.keepTags(new Set([...to.tags, ...entriesOf(changes)]))
    const had = before === null ? [] : [before]
    const ofMain = before === main ? [] : [{ changes: [{ ref: MAIN, before, after: main }], had }]
    const pushes = [...ofMain, ...inParts(changes).map((part) => ({ changes: part, had: [main] }))]
    const refusal = await pushAll(remote, target, pushes, (objects) =>
      atLeastRate(fetches.packOf(source, objects, to.maxMs)),
    )
    // A report of success is not enough: some hosts refuse a push after it.
    const { refs } = pushes.length === 0 ? target : await findTarget(remote)
    await to.keepTags(tagsFromSite(tags, tagsAmong(refs), to.tags))
    const remoteOid = refs.get(MAIN) ?? null
    if (refusal !== undefined) return { state: 'failed', remoteOid, error: refusal }
    if (remoteOid !== main) throw new RemoteFailed(`${NOT_SHOWN} the new commit.`)
    const missing = changes.find(({ ref, after }) => (refs.get(ref) ?? null) !== after)
    if (missing !== undefined) throw new RemoteFailed(`${NOT_SHOWN} the new state of ${missing.ref}.`)
    if (conflicts.length > 0) return { state: 'diverged', remoteOid, error: sayConflict(conflicts) }
    return { state: 'ok', remoteOid, error: null }
  } finally {
    remote.close()
  }
}

/** Waits until the commit is durable. Otherwise the remote could keep a commit that this service loses in a power cut. */
async function untilDurable(store: Store, site: Site): Promise<void> {
  try {
    await store.writers.settle(site)
  } catch (cause) {
    throw Object.assign(new ServiceError('storage_failed', NOT_DURABLE), { cause })
  }
}

/** Sends the pushes one after the other. Stops at the first that the remote refuses, and returns its reason. */
async function pushAll(
  remote: Remote,
  target: Parameters<typeof sendPack>[1],
  pushes: readonly OnePush[],
  packOf: (objects: { wanted: Oid[]; had: readonly Oid[] }) => AsyncIterable<Buffer>,
): Promise<string | undefined> {
  for (const { changes, had } of pushes) {
    const wanted = changes.flatMap(({ after }) => after ?? [])
    const refusal = await sendPack(remote, target, changes, packOf({ wanted, had }))
    if (refusal !== undefined) return refusal
  }
  return undefined
}

function tagsAmong(refs: TagOids): TagOids {
  return new Map([...refs].filter(([ref]) => ref.startsWith(TAGS)))
}

function entriesOf(changes: readonly RefChange[]): string[] {
  return changes.flatMap(({ ref, after }) => (after === null ? [] : tagEntry(ref, after)))
}

function inParts(changes: readonly RefChange[]): RefChange[][] {
  const count = Math.ceil(changes.length / MAX_REFS)
  return Array.from({ length: count }, (_, part) => changes.slice(part * MAX_REFS, (part + 1) * MAX_REFS))
}

function sayConflict(refs: readonly string[]): string {
  const names = refs.slice(0, MAX_NAMED).map((ref) => ref.slice(TAGS.length))
  const more = refs.length > MAX_NAMED ? ` and ${refs.length - MAX_NAMED} more` : ''
  return `These tags of the remote differ from those of this site: ${names.join(', ')}${more}. Nothing is pushed until you retry: delete those tags there, or here.`
}
