// Builds a batch of writes on a site's state: each becomes a commit in memory, on top of the one before.

import { encodeCommit, formatMessage, type Identity } from '../../git/objects/commit.js'
import { type NewObject, newObject } from '../../git/objects/object.js'
import type { Oid } from '../../git/objects/oid.js'
import { OPERATION_TRAILER, REASON_TRAILER } from '../../model/commits/operation.js'
import { ServiceError } from '../../model/errors.js'
import type { Failure } from '../../threads/messages.js'
import { COMMITTER, PEOPLE_DOMAIN } from '../format/main-ref.js'
import { applyOperation } from '../operations/apply.js'
import type { Outcome } from '../operations/outcome.js'
import { toFailure } from '../protocol/failure.js'
import type { PackToInstall, Write } from '../protocol/write.js'
import type { Written } from '../protocol/written.js'
import type { SiteState } from '../staging/site-state.js'

export type WriteResult = { written: Written } | { failure: Failure }

/** Signs a commit: takes its bytes and returns those of the signed one. */
export type Sign = (commit: Buffer) => Buffer

/** Commits on top of `base`, not yet stored. */
export interface Batch {
  base: Oid
  tip: Oid
  objects: NewObject[]
  packs: PackToInstall[]
  results: WriteResult[]
}

/** Builds the batch. Throws if the state may contain a part of a failed write: then neither the batch nor the state may be kept. */
export function buildBatch(state: SiteState, writes: readonly Write[], sign: Sign): Batch {
  const batch: Batch = { base: state.head, tip: state.head, objects: [], packs: [], results: [] }
  for (const write of writes) {
    const { root } = state.tree
    try {
      const { written, objects } = buildWrite(state, write, sign)
      if (written.changed) batch.packs.push(...(write.packs ?? []))
      batch.objects.push(...objects)
      batch.results.push({ written })
    } catch (error) {
      // The failed write's tree is built, and would go into the next commit.
      if (state.tree.root !== root) throw error
      batch.results.push({ failure: toFailure(error) })
    }
  }
  return { ...batch, tip: state.head }
}

/**
 * Builds one write on the state after the write before it. Later writes can read its packs only if it makes a commit, because no other
 * packs are installed. A refusal leaves the state as it was.
 */
export function buildWrite(state: SiteState, write: Write, sign: Sign): { written: Written; objects: NewObject[] } {
  const takeOut = addPacks(state, write)
  let isMade = false
  try {
    const built = buildCommit(state, write, sign)
    isMade = built.written.changed
    return built
  } finally {
    if (!isMade) takeOut()
  }
}

function buildCommit(state: SiteState, write: Write, sign: Sign): { written: Written; objects: NewObject[] } {
  const outcome = applyOperation(state, write)
  const { subject } = outcome
  const result = resultOf(outcome)
  if (subject === null) return { written: { ...result, changed: false, commit: state.head }, objects: [] }
  const paths = new Set(outcome.touched ?? state.tree.editedPaths)
  const objects = state.tree.flush()
  const bytes = encodeCommit({
    tree: state.tree.root,
    parents: write.merged === undefined ? [state.head] : [state.head, write.merged],
    author: authorOf(write),
    committer: committerAt(write.time),
    message: messageOf({ ...outcome, subject }, write),
  })
  const commit = newObject('commit', sign(bytes))
  state.advance(commit.oid, paths)
  return { written: { ...result, changed: true, commit: commit.oid }, objects: [...objects, commit] }
}

/** Makes the message of the commit. The first line of a person's reason is its subject; then a trailer has the operation. */
function messageOf({ subject, body, trailers = [] }: Outcome & { subject: string }, write: Write): string {
  const isReason = ([name]: readonly [string, string]) => name === REASON_TRAILER
  const reason = write.trailers.find(isReason)?.[1].trim() ?? ''
  if (reason === '') return formatMessage(subject, body, [...trailers, ...write.trailers])
  const [first = '', ...rest] = reason.split(/\r?\n/)
  const others = write.trailers.filter((trailer) => !isReason(trailer))
  return formatMessage(first, `${rest.join('\n')}\n\n${body ?? ''}`, [
    ...trailers,
    [OPERATION_TRAILER, subject],
    ...others,
  ])
}

/** Adds the write's packs. Returns a function that removes them again. Throws `storage_failed`, for this write alone, if they are gone. */
function addPacks({ odb }: SiteState, { packs = [] }: Write): () => void {
  try {
    return odb.add(packs.map(({ path }) => path))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    const message = 'The bytes uploaded for this write are gone. Nothing was written: upload them again.'
    throw Object.assign(new ServiceError('storage_failed', message), { cause: error })
  }
}

/** Names the author. The address of a person has the person's id: it stays when the name changes, and no mail reaches it. */
function authorOf({ author, userId, time }: Write): Identity {
  const email = userId === undefined ? COMMITTER.email : `${userId}@${PEOPLE_DOMAIN}`
  return { name: author, email, time }
}

export function committerAt(time: number): Identity {
  return { ...COMMITTER, time }
}

/** Returns the part of the answer that does not depend on the commit. */
function resultOf({ id, created, items }: Outcome): Pick<Written, 'id' | 'created' | 'facts' | 'items'> {
  const each = items?.map((item) => ({ id: item.id, created: item.created, changed: item.subject !== null }))
  return { id, created, facts: null, ...(each && { items: each }) }
}
