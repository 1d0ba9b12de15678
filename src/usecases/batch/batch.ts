// Makes many changes of a site's pages and records in one commit: all of them or none.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { BatchBody, BatchData, BatchOperation } from '../../../schemas/batch.js'
import { saysRetry, ServiceError } from '../../model/errors.js'
import { batchRefused, changedTwice, type RefusedChange, toRefused } from '../../repository/operations/change-set.js'
import { removePack } from '../../git/streams/pack-stream.js'
import type { Operation, PackToInstall } from '../../repository/protocol/write.js'
import type { WrittenItem } from '../../repository/protocol/written.js'
import { keysOf, type PreparedItem, prepareItem } from './batch-items.js'
import { replayBatch } from './batch-replay.js'
import type { OnConflict } from '../merging/on-conflict.js'
import { describeDraft } from '../pages/dry-run.js'
import { warnOfFile } from '../files/batch-file.js'
import { warnOfFileName } from '../pages/named-as-file.js'
import type { Call, Changing, SiteCall } from '../context/call.js'
import type { DryRunInput } from '../context/input.js'
import { changeSite } from '../context/change-site.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { siteOf } from '../context/target.js'

/** Limit for the bytes of all pages that one batch edits. */
const MAX_EDITED_BYTES = 32 * 1024 * 1024
/** Milliseconds of preparing before the thread serves other requests. */
const TURN_MS = 5
/** Files that are fetched, one after the other. */
const MAX_FETCHED = 20

/** Throws `batch_refused` with every faulty operation. */
export async function runBatch(
  asked: Call<Changing | 'admission' | 'deploys' | 'newId' | 'privateRemotes' | 'uploads'>,
  input: BatchBody & DryRunInput & OnConflict,
): Promise<Result<BatchData>> {
  const site = siteOf(asked, input.siteId)
  // Ids are looked up only in the site of the commit.
  const call = { ...asked, site, target: { ...asked.target, site } }
  const result = await changeSite(call, {
    input,
    plan: async () => {
      const prepared = await prepare(call, input)
      return { operation: toChangeSet(prepared), packs: packsOf(prepared), reason: input.reason, prepared }
    },
    answer: ({ commit, items = [] }, { prepared }) => ({ data: toBatchData(commit, prepared, items) }),
    show: async (draft, { prepared }) => {
      const dryRun = await describeDraft(call, draft)
      return { data: { ...toBatchData('', prepared, draft.written.items ?? []), commit: null, dryRun } }
    },
    replay: (facts) => replayBatch(call, input, facts),
    isOvertaken: input.onConflict === undefined ? isSchemaChanged : isAnyOvertaken,
    release: ({ prepared }) => removePacks(prepared),
  })
  return withWarnings(call, input, result)
}

/** Adds a warning to each page at the path of a file, and to each odd file; a repeated request gets the same warnings. */
function withWarnings(
  services: Pick<Services, 'limits'>,
  { operations, asPage }: BatchBody,
  { data, ...result }: Result<BatchData>,
): Result<BatchData> {
  const items = data.items.map((item, at) => {
    const operation = operations[at]
    if (operation?.op === 'putFile') return { ...item, ...warnOfFile(services, operation) }
    const isNew = operation?.op === 'createPage' || operation?.op === 'putPage'
    return isNew ? { ...item, ...warnOfFileName(operation.path, operation.asPage ?? asPage) } : item
  })
  return { ...result, data: { ...data, items } }
}

function packsOf(prepared: readonly PreparedItem[]): PackToInstall[] {
  return prepared.flatMap(({ packs = [] }) => packs)
}

async function removePacks(prepared: readonly PreparedItem[]): Promise<void> {
  for (const { path } of packsOf(prepared)) await removePack(path)
}

function toChangeSet(prepared: readonly PreparedItem[]): Operation {
  return { kind: 'change-set', changes: prepared.map(({ change }) => change) }
}

/** Turns every operation into a change of the site. Throws `batch_refused`. */
async function prepare(
  call: SiteCall<Changing | 'admission' | 'deploys' | 'newId' | 'privateRemotes' | 'uploads'>,
  { operations, asPage, overwrite, onConflict }: BatchBody & OnConflict,
): Promise<PreparedItem[]> {
  const fetched = operations.filter((operation) => 'url' in operation).length
  if (fetched > MAX_FETCHED)
    throw new ServiceError('too_costly', `A batch fetches at most ${MAX_FETCHED} files by url: send several batches.`)
  const prepared: PreparedItem[] = []
  const refused: RefusedChange[] = []
  const named = new Set<string>()
  const seen = new Set<string>()
  const room = { bytes: MAX_EDITED_BYTES }
  // Ids of new records ascend, so that a replay can tell from the commit which operation made which record.
  const ids = operations.map(() => call.newId()).toSorted()
  let turnEnds = performance.now() + TURN_MS
  for (const [index, operation] of operations.entries()) {
    if (performance.now() > turnEnds) {
      await nextTurn()
      turnEnds = performance.now() + TURN_MS
    }
    try {
      // Checked before any work: an edit of a large page costs much, and a batch may name it 500 times.
      if (!isNewIn(named, nameOf(operation))) throw changedTwice()
      const newId = ids[index] ?? call.newId()
      const item = await prepareItem(call, operation, {
        newId,
        room,
        asPage,
        overwrite,
        isMerged: onConflict !== undefined,
      })
      if (!keysOf(item.change).every((key) => isNewIn(seen, key))) throw changedTwice()
      prepared.push(item)
    } catch (error) {
      refused.push(toRefused(index, error))
    }
  }
  if (refused.length > 0) throw batchRefused(refused, operations.length)
  return prepared
}

/** Returns the page, file or record as the request names it; undefined for a new record. A file gives its path to a page. */
function nameOf(operation: BatchOperation): string | undefined {
  if ('recordId' in operation) return `${operation.collectionId}/${operation.recordId}`.toLowerCase()
  if ('id' in operation) return operation.id.toLowerCase()
  if (!('path' in operation)) return undefined
  return operation.op.endsWith('File') ? `file ${operation.path}` : operation.path
}

function isNewIn(seen: Set<string>, name: string | undefined): boolean {
  if (name === undefined) return true
  if (seen.has(name)) return false
  seen.add(name)
  return true
}

function toBatchData(commit: string, prepared: readonly PreparedItem[], written: readonly WrittenItem[]): BatchData {
  const items = prepared.flatMap(({ shown }, at) => {
    const item = written[at]
    return item === undefined ? [] : [{ ...shown, ...item }]
  })
  const changed = items.some((item) => item.changed)
  return { commit: changed ? commit : null, changed, items }
}

/** Whether somebody else wrote between the merges and their turn at the site's writer. */
function isAnyOvertaken(error: unknown): boolean {
  if (!(error instanceof ServiceError) || error.code !== 'batch_refused') return false
  const { errors } = error.details as { errors: RefusedChange[] }
  return errors.every(({ code, details }) => code === 'precondition_failed' || saysRetry(details))
}

/** Whether a schema changed between the check of a record and its write. */
function isSchemaChanged(error: unknown): boolean {
  if (!(error instanceof ServiceError) || error.code !== 'batch_refused') return false
  const { errors } = error.details as { errors: RefusedChange[] }
  return errors.every(({ details }) => saysRetry(details))
}
