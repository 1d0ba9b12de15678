// What commits did to a site, read from the objects alone. Anybody may push anything: what is not valid is reported as
// gone, and only an unreadable repository is an error.

import { type Commit, type ParsedMessage, parseMessage } from '../git/commit.js'
import { diffTrees, type TreeChange } from '../git/diff.js'
import { firstParents } from '../git/history.js'
import type { ObjectDatabase } from '../git/object-database.js'
import type { Oid } from '../git/oid.js'
import type { CommitFacts, PageFileChange, PageLeap } from '../model/facts.js'
import { pagePathOf } from '../model/page-path.js'
import { isFile } from './file-mode.js'
import {
  COLLECTION_DIR,
  type MetadataPath,
  parseCollection,
  parseJsonObject,
  parseMetadataPath,
  parseSidecar,
} from './site-format.js'

/** The commit that the facts were to follow is not on the head's first-parent chain. */
export class HistoryRewritten extends Error {
  override name = 'HistoryRewritten'
}

/** Files longer than these are not read: bytes. */
const LONGEST = { sidecar: 64 * 1024, collection: 256 * 1024, record: 1024 * 1024 } as const
/** Levels of arrays and objects; deeper JSON is refused by what reads it later. */
const DEEPEST_JSON = 64
/** The last second that RFC 3339 can write. */
const LAST_SECOND = 253_402_300_799

/** A commit against its first parent; the first commit against nothing. Throws the git layer's errors. */
export function readCommitFacts(odb: ObjectDatabase, oid: Oid): CommitFacts {
  const commit = odb.readCommit(oid)
  const parent = commit.parents[0] ?? null
  const parsed = parseMessage(commit.message)
  const { subject, trailers } = parsed
  const facts: CommitFacts = {
    oid,
    parent,
    time: timeOf(commit),
    author: commit.author.name,
    subject,
    message: messageOf(parsed),
    trailers,
    pageFiles: [],
    sidecars: [],
    collections: [],
    records: [],
  }
  for (const change of diffTrees(odb, treeOf(odb, parent), commit.tree)) addChange(odb, facts, change)
  return facts
}

/** From one commit to any other of the repository, whatever lies between; from nothing for null. */
export function readPageLeap(odb: ObjectDatabase, from: Oid | null, to: Oid): PageLeap {
  const commit = odb.readCommit(to)
  const none = { author: '', subject: '', message: '', trailers: {}, collections: [], records: [] }
  const leap: PageLeap = {
    isLeap: true,
    oid: to,
    parent: from,
    time: timeOf(commit),
    pageFiles: [],
    sidecars: [],
    ...none,
  }
  for (const change of diffTrees(odb, treeOf(odb, from), commit.tree)) {
    if (!change.path.startsWith(`${COLLECTION_DIR}/`)) addChange(odb, leap, change)
  }
  return leap
}

function treeOf(odb: ObjectDatabase, commit: Oid | null): Oid | undefined {
  return commit === null ? undefined : odb.readCommit(commit).tree
}

function timeOf({ committer }: Commit): number {
  return Math.min(Math.max(Math.trunc(committer.time) || 0, 0), LAST_SECOND)
}

/**
 * What each commit after `from` did, oldest first, up to `head`; the whole first-parent history for undefined.
 * Throws `HistoryRewritten` at once, before the first is asked for. Holds the oids of the walk, and one commit's facts.
 */
export function readFactsSince(odb: ObjectDatabase, from: Oid | undefined, head: Oid): Generator<CommitFacts> {
  const oids: Oid[] = []
  let found = from === undefined
  for (const { oid } of firstParents(odb, head)) {
    if (oid === from) {
      found = true
      break
    }
    oids.push(oid)
  }
  if (!found) throw new HistoryRewritten(`${from} is not in the history of ${head}.`)
  return readEach(odb, oids.toReversed())
}

function* readEach(odb: ObjectDatabase, oids: readonly Oid[]): Generator<CommitFacts> {
  for (const oid of oids) yield readCommitFacts(odb, oid)
}

function addChange(odb: ObjectDatabase, facts: CommitFacts, change: TreeChange): void {
  const before = fileOid(change.before)
  const after = fileOid(change.after)
  if (before === after) return
  const metadata = parseMetadataPath(change.path)
  if (metadata !== undefined) return addMetadata(odb, facts, metadata, after)
  const page = pageFileChange(odb, change.path, before, after)
  if (page !== undefined) facts.pageFiles.push(page)
}

/** Symbolic links and submodules are never content: turning into one is going away. */
function fileOid(entry: TreeChange['before']): Oid | null {
  return entry !== undefined && isFile(entry.mode) ? entry.oid : null
}

function pageFileChange(
  odb: ObjectDatabase,
  treePath: string,
  before: Oid | null,
  after: Oid | null,
): PageFileChange | undefined {
  const path = pagePathOf(treePath)
  const isLong = /^\.long\/[0-9a-f]{64}\.html$/.test(treePath)
  if (path === undefined && !isLong) return undefined
  return { treePath, path, before, after: after === null ? null : { oid: after, size: odb.readHeader(after).size } }
}

function addMetadata(odb: ObjectDatabase, facts: CommitFacts, file: MetadataPath, oid: Oid | null): void {
  const bytes = oid === null ? undefined : readWithin(odb, oid, LONGEST[file.kind])
  if (file.kind === 'sidecar') {
    facts.sidecars.push({ pageId: file.pageId, sidecar: (bytes && parseSidecar(bytes)) ?? null })
  } else if (file.kind === 'collection') {
    const definition = bytes && parseCollection(file.collectionId, bytes)
    const valid = oid !== null && definition !== undefined && isShallow(definition.schema, DEEPEST_JSON)
    facts.collections.push({ collectionId: file.collectionId, definition: valid ? { ...definition, oid } : null })
  } else {
    const data = bytes && parseJsonObject(bytes)
    const valid = data !== undefined && isShallow(data, DEEPEST_JSON)
    const { collectionId, recordId } = file
    facts.records.push({ collectionId, recordId, data: valid ? data : null, oid: valid ? oid : null })
  }
}

function readWithin(odb: ObjectDatabase, oid: Oid, longest: number): Buffer | undefined {
  return odb.readHeader(oid).size <= longest ? odb.readBlob(oid) : undefined
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1))
}

/** What people read of a commit: subject, body, and the reason that was given for it. */
export function messageOf({ subject, body, trailers }: ParsedMessage): string {
  return [subject, body, trailers['Reason'] ?? ''].filter((part) => part !== '').join('\n\n')
}
