// Reads from the objects alone how commits changed a site. A push may bring any bytes: an invalid file is reported as removed, and
// only an unreadable repository is an error.

import { type Commit, type ParsedMessage, parseMessage } from '../../git/objects/commit.js'
import { isSignedBy, keysAt, type Signer } from '../../git/objects/commit-signature.js'
import { diffTrees, type TreeChange } from '../../git/objects/diff.js'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import type { Oid } from '../../git/objects/oid.js'
import { toNameable } from '../../model/clock.js'
import { makerIn } from '../../model/commits/maker.js'
import { OPERATION_TRAILER, REASON_TRAILER } from '../../model/commits/operation.js'
import type { CommitFacts, PageFileChange, Verified } from '../../model/commits/facts.js'
import { isFilePath } from '../../model/paths/file-path.js'
import { pagePathOf } from '../../model/paths/page-path.js'
import { isFile } from './file-mode.js'
import {
  MAX_COLLECTION_BYTES,
  MAX_RECORD_FILE_BYTES,
  MAX_SIDECAR_BYTES,
  type MetadataPath,
  parseCollection,
  parseJsonObject,
  parseMetadataPath,
  parseSidecar,
} from './site-format.js'

/** The commit from which the facts were to continue is not on the head's first-parent chain. */
export class HistoryRewritten extends Error {
  override name = 'HistoryRewritten'
}

/** Longer files are not read: bytes. */
const LONGEST = {
  sidecar: MAX_SIDECAR_BYTES,
  collection: MAX_COLLECTION_BYTES,
  record: MAX_RECORD_FILE_BYTES,
} as const
/** This many bytes read for a change weigh as much as one more change. */
const HEAVY_BYTES = 16 * 1024
/** The depth limit of arrays and objects; readers refuse deeper JSON later. */
const DEEPEST_JSON = 64

/**
 * Compares a commit with its first parent; the first commit with an empty tree. `signers` are the service's own public keys.
 * Throws the git layer's errors.
 */
export function readCommitFacts(odb: ObjectReader, oid: Oid, signers: readonly Signer[] = []): CommitFacts {
  const [facts] = readPortions(odb, oid, Number.POSITIVE_INFINITY, signers)
  if (facts === undefined) throw new Error('a commit has at least one portion')
  return facts
}

/**
 * Reads the facts in portions of at most `most` changes, fewer if they are large. Each portion repeats the facts of the commit
 * itself. There is at least one.
 */
export function* readPortions(
  odb: ObjectReader,
  oid: Oid,
  most: number,
  signers: readonly Signer[] = [],
): Generator<CommitFacts> {
  const commit = odb.readCommit(oid)
  const parent = commit.parents[0] ?? null
  const parsed = parseMessage(commit.message)
  const { subject, trailers } = parsed
  const author = commit.author.name
  const message = messageOf(parsed)
  const verified = verify(odb, oid, commit, signers)
  // Trailers count only if the service signed them, because any push can claim the same.
  const maker = verified === 'service' ? makerIn(trailers) : null
  const known = { oid, parent, time: timeOf(commit), author, subject, message, trailers, maker, verified }
  const emptyPortion = (): CommitFacts => ({
    ...known,
    removedFiles: [],
    pageFiles: [],
    files: [],
    sidecars: [],
    collections: [],
    records: [],
  })
  let portion = emptyPortion()
  let weight = 0
  for (const change of diffTrees(odb, treeOf(odb, parent), commit.tree)) {
    if (weight >= most) {
      yield portion
      portion = emptyPortion()

      weight = 0
    }
    weight += 1 + Math.floor(addChange(odb, portion, change) / HEAVY_BYTES)
  }
  yield portion
}

function verify(odb: ObjectReader, oid: Oid, commit: Commit, signers: readonly Signer[]): Verified {
  if (commit.isSigned === undefined) return 'none'
  return isSignedBy(odb.read(oid).content, keysAt(signers, commit.committer.time)) ? 'service' : 'other'
}

function treeOf(odb: ObjectReader, commit: Oid | null): Oid | undefined {
  return commit === null ? undefined : odb.readCommit(commit).tree
}

function timeOf({ committer }: Commit): number {
  return toNameable(committer.time)
}

/** Adds a change to the facts. Returns how many bytes of the file it added. */
function addChange(odb: ObjectReader, facts: CommitFacts, change: TreeChange): number {
  const before = fileOid(change.before)
  const after = fileOid(change.after)
  if (before === after) return 0
  const metadata = parseMetadataPath(change.path)
  if (metadata !== undefined) return addMetadata(odb, facts, metadata, after)
  if (after === null) facts.removedFiles.push(change.path)
  const page = pageFileChange(odb, change.path, before, after)
  if (page !== undefined) facts.pageFiles.push(page)
  else if (isFilePath(change.path)) facts.files.push({ treePath: change.path, before, after: sized(odb, after) })
  return 0
}

/** Symbolic links and submodules are never content: a file that becomes one counts as removed. */
function fileOid(entry: TreeChange['before']): Oid | null {
  return entry !== undefined && isFile(entry.mode) ? entry.oid : null
}

function pageFileChange(
  odb: ObjectReader,
  treePath: string,
  before: Oid | null,
  after: Oid | null,
): PageFileChange | undefined {
  const path = pagePathOf(treePath)
  const isLong = /^\.long\/[0-9a-f]{64}\.html$/.test(treePath)
  if (path === undefined && !isLong) return undefined
  return { treePath, path, before, after: sized(odb, after) }
}

function sized(odb: ObjectReader, oid: Oid | null): { oid: Oid; size: number } | null {
  return oid === null ? null : { oid, size: odb.readHeader(oid).size }
}

function addMetadata(odb: ObjectReader, facts: CommitFacts, file: MetadataPath, oid: Oid | null): number {
  // Visitors' readers look at the tree itself.
  if (file.kind === 'former') return 0
  if (file.kind === 'record') return addRecord(odb, facts, file, oid)
  const bytes = oid === null ? undefined : odb.readBlobWithin(oid, LONGEST[file.kind])
  if (file.kind === 'sidecar') {
    facts.sidecars.push({ pageId: file.pageId, sidecar: (bytes && parseSidecar(bytes)) ?? null })
  } else {
    const definition = bytes && parseCollection(file.collectionId, bytes)
    const valid = oid !== null && definition !== undefined && isShallow(definition.schema, DEEPEST_JSON)
    facts.collections.push({ collectionId: file.collectionId, definition: valid ? { ...definition, oid } : null })
  }
  return bytes?.length ?? 0
}

function addRecord(
  odb: ObjectReader,
  { records }: CommitFacts,
  { collectionId, recordId }: Extract<MetadataPath, { kind: 'record' }>,
  oid: Oid | null,
): number {
  const bytes = oid === null ? undefined : odb.readBlobWithin(oid, LONGEST.record)
  const data = bytes && parseJsonObject(bytes)
  const valid = data !== undefined && isShallow(data, DEEPEST_JSON)
  records.push({ collectionId, recordId, ...(valid ? { data, oid } : { data: null, oid: null }) })
  return bytes?.length ?? 0
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  const inside: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  return levels > 0 && inside.every((inner) => isShallow(inner, levels - 1))
}

/** Returns the text of a commit for people: subject, body, and the operation if a person wrote the subject. */
export function messageOf({ subject, body, trailers }: ParsedMessage): string {
  return [subject, body, trailers[OPERATION_TRAILER] ?? '', trailers[REASON_TRAILER] ?? '']
    .filter((part) => part !== '')
    .join('\n\n')
}
