// The table of reads for visitors. Each is done at once, by a thread with nothing else to do; it depends on its input and on objects,
// which never change. Throws ServiceErrors.

import type { Oid } from '../../../git/objects/oid.js'
import type { PastCommits } from '../../../indexing/past-commits.js'
import { type Resolution, resolve, resolvePreflight } from '../../../repository/resolution/resolution.js'
import { isFile } from '../../../repository/format/file-mode.js'
import type { SiteRef } from '../../../repository/protocol/write.js'
import type { Snapshot } from '../../../repository/reading/snapshot.js'
import type { OpenSites } from './open-sites.js'
import type { ViewToRead } from './view-to-read.js'

/** The means of a thread. */
export interface ReadingParts {
  sites: OpenSites
  past: PastCommits
}

/** Longer bodies are asked for once there is memory to hold them. */
const MAX_BODY_BYTES = 256 * 1024
/** Longer files are streamed; those of a draft are not shown. */
const MAX_WHOLE_BYTES = 64 * 1024 * 1024

/** Bytes in memory of their own. A Buffer crosses to another thread as a Uint8Array. */
export type OwnBytes = Uint8Array<ArrayBuffer>

export interface Found {
  resolution: Resolution
  /** Bytes of the file; from its header unless the file is read. */
  size: number
  /** The file, if it was asked for and is short. */
  body?: OwnBytes
}

interface Target {
  view: ViewToRead
  target: string
  /** Whether a short file is wanted at once. */
  wantsBody: boolean
}

interface BlobToRead {
  view: ViewToRead
  oid: Oid
}

export const READS = {
  resolve(parts: ReadingParts, { view, target, wantsBody }: Target): Found {
    const snapshot = snapshotOf(parts, view)
    const resolution = resolve(resolvable(parts, view, snapshot), target)
    if (resolution.kind !== 'file' && resolution.kind !== 'markdown') return { resolution, size: 0 }
    const { oid } = resolution.file
    const isWanted = wantsBody && resolution.kind === 'file'
    const body = isWanted ? snapshot.blobWithin(oid, MAX_BODY_BYTES) : undefined
    return body === undefined
      ? { resolution, size: snapshot.size(oid) }
      : { resolution, size: body.length, body: owned(body) }
  },

  /** Returns the fields of a preflight's answer. */
  preflight: (parts: ReadingParts, { view, target }: Omit<Target, 'wantsBody'>): Readonly<Record<string, string>> =>
    resolvePreflight(resolvable(parts, view, snapshotOf(parts, view)), target),

  /** Resolves several targets of a view. */
  resolveAll(parts: ReadingParts, { view, targets }: { view: ViewToRead; targets: readonly string[] }): Resolution[] {
    const seen = resolvable(parts, view, snapshotOf(parts, view))
    return targets.map((target) => resolve(seen, target))
  },

  blob: (parts: ReadingParts, { view, oid }: BlobToRead): OwnBytes =>
    owned(snapshotOf(parts, view).blob(oid, MAX_WHOLE_BYTES)),

  storedAs: (parts: ReadingParts, { view, oid }: BlobToRead): 'whole' | 'delta' | 'draft' =>
    snapshotOf(parts, view).storedAs(oid),

  /** Reads a piece of a blob; undefined if only git can read it. */
  piece(
    parts: ReadingParts,
    { view, oid, start, length }: BlobToRead & { start: number; length: number },
  ): OwnBytes | undefined {
    const bytes = snapshotOf(parts, view).piece(oid, start, length)
    return bytes && owned(bytes)
  },

  /** Finds the commit of a version by the first digits of its id. `time` in seconds. */
  version(
    parts: ReadingParts,
    { site, head, prefix }: Past & { prefix: string },
  ): { commit: Oid; time: number } | undefined {
    const newest = parts.sites.head(site, head)
    const commit = parts.past.find(newest, prefix)
    const snapshot = commit === undefined ? undefined : parts.sites.version(site, newest, commit)
    return snapshot && { commit: snapshot.commit, time: snapshot.time }
  },

  /** Finds the newest commit of main that a change request contains. `branch` is the request's head. */
  baseOf({ sites, past }: ReadingParts, { site, head, request, branch }: Past & RequestAt): Oid | undefined {
    const newest = sites.head(site, head)
    for (const { oid, merged } of sites.head({ ...site, request }, branch).firstParents()) {
      const found = [oid, ...merged].find((candidate) => past.find(newest, candidate) !== undefined)
      if (found !== undefined) return found
    }
    return undefined
  },

  /** Finds the commit that was the head at a time, in seconds. */
  asOf: ({ sites, past }: ReadingParts, { site, head, time }: Past & { time: number }): Oid | undefined =>
    past.asOf(sites.head(site, head), time),
}

interface RequestAt {
  request: string
  branch: Oid
}

interface Past {
  site: SiteRef
  head: Oid
}

function snapshotOf({ sites }: ReadingParts, { site, head, version, draft, request }: ViewToRead): Snapshot {
  if (request !== undefined) return sites.head({ ...site, request: request.id }, request.commit)
  const newest = sites.head(site, head)
  if (draft !== undefined) return sites.draft({ ...site, request: draft.request }, draft)
  return version === undefined ? newest : sites.version(site, newest, version)
}

function resolvable({ sites, past }: ReadingParts, view: ViewToRead, snapshot: Snapshot) {
  const {
    site,
    head,
    origin,
    version,
    draft,
    request,
    withdrawn,
    generates = false,
    markdown = false,
    search = false,
  } = view
  const newest = sites.head(site, head)
  const hidden = new Set(withdrawn)
  const proposed = draft ?? request
  // A draft of a change request is shown as it is: it began at no commit of main.
  const base = proposed && draft?.request === undefined ? sites.version(site, newest, proposed.base) : undefined
  const isRemoved = (treePath: string): boolean => {
    if (base === undefined) return version !== undefined && past.isRemovedAfter(newest, version, treePath)
    const isDrafted = base.entry(treePath)?.oid !== snapshot.entry(treePath)?.oid
    if (isDrafted) return false
    return !isFile(newest.entry(treePath)?.mode) || past.isRemovedAfter(newest, base.commit, treePath)
  }
  const isGone = (treePath: string) => hidden.has(snapshot.entry(treePath)?.oid ?? '') || isRemoved(treePath)
  const isOwnHost = version === undefined && proposed === undefined
  return { snapshot, origin, generates: () => generates, markdown, search, ...(!isOwnHost && { isGone }) }
}

/** Copies the bytes into memory that can be handed to another thread: an object's own stay with the objects in memory. */
function owned(bytes: Buffer): OwnBytes {
  const own = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(own)
  return own
}
