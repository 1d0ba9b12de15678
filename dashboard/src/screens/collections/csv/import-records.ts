// Tries and adds records of a table in batches: the service checks each, and says which lines it refuses.

import { type Collection, dataOf, Refusal, type Site, siteApi } from '../../../api/client.js'
import { reasonsIn } from '../fields/refused-fields.js'
import type { LineProblem, ReadRecord } from './csv-records.js'

/** The service takes so many changes in one commit. */
const MAX_OPERATIONS = 500
/** Characters of a batch, well below the limit of a request. */
const MAX_CHARACTERS = 4 * 1024 * 1024

interface RefusedOperation {
  index: number
  message: string
  details?: unknown
}

/** Returns what the service would refuse, by line. Changes nothing. */
export async function tryRecords(
  site: Site,
  collection: Collection,
  records: readonly ReadRecord[],
): Promise<LineProblem[]> {
  const problems: LineProblem[] = []
  for (const batch of batchesOf(records)) {
    try {
      // One after the other: a service has other work too.
      // oxlint-disable-next-line no-await-in-loop
      await send(site, collection, batch, { dryRun: true })
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'batch_refused') throw error
      const { errors } = error.details as { errors: RefusedOperation[] }
      for (const refused of errors) problems.push(...linesOf(refused, batch[refused.index]?.line ?? 1))
    }
  }
  return problems
}

/** Adds the records, and returns the commits that did. `onDone` hears how many are added. */
export async function addRecords(
  site: Site,
  collection: Collection,
  records: readonly ReadRecord[],
  onDone: (count: number) => void,
): Promise<string[]> {
  const commits: string[] = []
  let done = 0
  for (const batch of batchesOf(records)) {
    // Each is one commit, after the one before it.
    // oxlint-disable-next-line no-await-in-loop
    const commit = await send(site, collection, batch, {})
    if (commit !== null) commits.push(commit)
    onDone((done += batch.length))
  }
  return commits
}

async function send(
  site: Site,
  { id: collectionId, name }: Collection,
  records: readonly ReadRecord[],
  query: { dryRun?: boolean },
): Promise<string | null> {
  const operations = records.map(({ data }) => ({ op: 'createRecord' as const, collectionId, data }))
  const body = { operations, reason: `Import records to ${name}` }
  return dataOf(await siteApi(site).POST('/batch', { params: { query }, body })).commit
}

function* batchesOf(records: readonly ReadRecord[]): Generator<readonly ReadRecord[]> {
  let batch: ReadRecord[] = []
  let room = MAX_CHARACTERS
  for (const record of records) {
    const size = JSON.stringify(record.data).length
    if (batch.length === MAX_OPERATIONS || (batch.length > 0 && size > room)) {
      yield batch
      batch = []
      room = MAX_CHARACTERS
    }
    batch.push(record)
    room -= size
  }
  if (batch.length > 0) yield batch
}

function linesOf({ message, details }: RefusedOperation, line: number): LineProblem[] {
  const reasons = reasonsIn(details)
  if (reasons.length === 0) return [{ line, message }]
  return reasons.map(({ field, message: reason }) => {
    const name = field.replace(/^\/data\/?/, '')
    return { line, message: name === '' ? `The record ${reason}.` : `${name}: It ${reason}.` }
  })
}
