// Sends many pages to the service as batches, each one commit, all or nothing; a refused page is left out of the next try.
// A dry run sends the same requests, and the service answers what it would do.

import { randomUUID } from 'node:crypto'
import { type DataOf, dataOf, Refusal } from '../../client/client.js'
import type { Connection } from '../connection/connection.js'
import type { DryRun } from './dry-run.js'
import { explainRefusal } from '../connection/explain.js'
import type { Entry } from './report.js'

export interface Page {
  path: string
  html: string
}

export type Outcome = 'created' | 'replaced' | 'unchanged'

export interface Sending {
  /** Recorded in the history. */
  reason: string | undefined
  dryRun: boolean
}

export interface Sent {
  /** One for each page, in no order; in a dry run with the page's URL in the preview. */
  entries: Entry<Outcome>[]
  /** The results of dry runs: one for each commit that there would be. */
  shown: DryRun[]
}

/** The service's limit for one batch, and a limit of ours on its html: about half of the largest body. */
const MAX_PAGES = 500
const MAX_CHARACTERS = 16 * 1024 * 1024

/** Splits the pages into parts, each small enough for one request. */
export function* inParts(pages: Iterable<Page>): Generator<Page[], void, undefined> {
  let part: Page[] = []
  let characters = 0
  for (const page of pages) {
    if (part.length === MAX_PAGES || (part.length > 0 && characters + page.html.length > MAX_CHARACTERS)) {
      yield part
      part = []
      characters = 0
    }
    part.push(page)
    characters += page.html.length
  }
  if (part.length > 0) yield part
}

/** Throws a refusal that concerns all pages. */
export async function sendPages(connection: Connection, pages: readonly Page[], sending: Sending): Promise<Sent> {
  if (pages.length === 0) return { entries: [], shown: [] }
  try {
    return await sendBatch(connection, pages, sending)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const refused = refusedPages(error, pages)
    const rest = pages.filter((page) => !refused.has(page))
    if (refused.size > 0) return join(toFailed(refused), await sendPages(connection, rest, sending))
    if (error.status !== 413 || pages.length === 1) throw error
    const half = Math.ceil(pages.length / 2)
    const first = await sendPages(connection, pages.slice(0, half), sending)
    return join(first, await sendPages(connection, pages.slice(half), sending))
  }
}

async function sendBatch({ client }: Connection, pages: readonly Page[], { reason, dryRun }: Sending): Promise<Sent> {
  const operations = pages.map(({ path, html }) => ({ op: 'putPage' as const, path, html }))
  const { items, dryRun: shown } = dataOf(
    await client.POST('/batch', {
      params: { header: { 'Idempotency-Key': randomUUID() }, ...(dryRun && { query: { dryRun } }) },
      body: { operations, ...(reason !== undefined && { reason }) },
    }),
  )
  return { entries: items.map((item) => toEntry(item, shown)), shown: shown === undefined ? [] : [shown] }
}

function toEntry(
  { path = '', url = '', created, changed }: DataOf<'/batch', 'post'>['items'][number],
  shown: DryRun | undefined,
): Entry<Outcome> {
  const outcome = created ? 'created' : changed ? 'replaced' : 'unchanged'
  const previewUrl = outcome === 'unchanged' ? null : shown?.previewUrl
  return { path, outcome, at: previewUrl ? new URL(new URL(url).pathname, previewUrl).href : url }
}

function join(one: Sent, other: Sent): Sent {
  return { entries: [...one.entries, ...other.entries], shown: [...one.shown, ...other.shown] }
}

/** The pages that the refusal names, with the reasons; none where it is about the request itself. */
function refusedPages(refusal: Refusal, pages: readonly Page[]): Map<Page, string> {
  const refused = new Map<Page, string>()
  for (const { index, message } of faultsOf(refusal, pages.length)) {
    const page = pages[index]
    if (page !== undefined) refused.set(page, message)
  }
  return refused
}

interface Fault {
  index: number
  message: string
}

function faultsOf(refusal: Refusal, pages: number): Fault[] {
  const { code, status, details } = refusal
  if (code === 'batch_refused') return (details as { errors: Fault[] }).errors
  if (status === 413 && pages === 1) return [{ index: 0, message: explainRefusal(refusal) }]
  if (code !== 'invalid_body') return []
  return (details as { field: string; message: string }[]).flatMap(({ field, message }) => {
    const [, index, name] = /^\/operations\/(\d+)\/(.*)/.exec(field) ?? []
    return index === undefined ? [] : [{ index: Number(index), message: `${name} ${message}` }]
  })
}

function toFailed(refused: ReadonlyMap<Page, string>): Sent {
  const entries = Array.from(refused, ([{ path }, message]) => ({ path, outcome: 'failed' as const, message }))
  return { entries, shown: [] }
}
