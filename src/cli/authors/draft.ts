// The change request that a command writes to, in place of what is live.

import { Option } from 'commander'
import { type DataOf, dataOf, Refusal } from '../../protocols/client/client.js'
import { isUuid } from '../../model/ids.js'
import { type Connection, siteOf, siteOption } from '../connection/connection.js'
import { LeftOut } from '../connection/explain.js'
import { Unusable } from '../connection/unusable.js'
import { printError, printJson } from '../terminal/printable.js'

export type ChangeRequest = DataOf<'/change-requests/{id}', 'get'>

export interface DraftOptions {
  /** True for a new one, else its number or id. */
  draft?: true | string
  message?: string
  dryRun?: true
  json?: true
}

/** Returns the option, which all commands that change a site have. */
export function draftOption(): Option {
  return new Option(
    '--draft [number]',
    'change nothing live: write to a new change request, or to the one with this number; "changes" lists them',
  )
}

/** Finds a change request by its number, such as `7` or `#7`, or by its id. Throws Unusable if the key sees none. */
export async function findChangeRequest(connection: Connection, name: string): Promise<ChangeRequest> {
  const { client } = connection
  if (isUuid(name)) return dataOf(await client.GET('/change-requests/{id}', { params: { path: { id: name } } }))
  if (!/^#?[1-9]\d{0,8}$/.test(name))
    throw new Unusable(`"${name}" is no number of a change request, such as 7. For a new one, put --draft last.`)
  const { id } = await siteOf(connection)
  const query = { number: Number(name.replace('#', '')), state: 'all', limit: 1 } as const
  const [found] = dataOf(await client.GET('/sites/{id}/change-requests', { params: { path: { id }, query } }))
  if (found !== undefined) return found
  throw new Unusable(
    `The key sees no change request ${name}. See "palimpsest changes --state all${siteOption(connection)}".`,
  )
}

/** The parameter that names a change request; none for what is live. */
export interface DraftQuery {
  changeRequest?: string
}

/** Returns the parameter of one write: the id of the wanted request, or `new`. */
export async function draftQuery(connection: Connection, { draft }: DraftOptions): Promise<DraftQuery> {
  if (draft === undefined) return {}
  return { changeRequest: draft === true ? 'new' : (await findChangeRequest(connection, draft)).id }
}

/** Returns the parameter of the reads that a write needs. A new change request has what is live. */
export function readQuery(write: DraftQuery): DraftQuery {
  return write.changeRequest === 'new' ? {} : write
}

/**
 * Does work that takes several requests. A change request that is made for it is closed again if the work is refused or changes nothing.
 * `work` returns whether it changed something.
 */
export async function inDraft(
  connection: Connection,
  options: DraftOptions,
  work: (draft?: ChangeRequest) => Promise<boolean>,
): Promise<void> {
  const { draft: wanted, dryRun, json } = options
  const isNew = wanted === true
  if (wanted === undefined || (isNew && dryRun === true)) return void (await work())
  const draft = isNew ? await make(connection, options) : await findChangeRequest(connection, wanted)
  const changed = await work(draft).catch(async (error: unknown) => {
    if (isNew) await leave(connection, draft, error)
    throw error
  })
  if (isNew && !changed) {
    await closeRequest(connection, draft)
    if (json !== true) printError('There is nothing to propose: no change request is open for it.')
  } else if (dryRun !== true && json !== true) printDraft(connection, draft)
}

/** Returns the change request that an answer says was written to. */
export async function writtenDraft(
  connection: Connection,
  answer: DraftQuery | undefined,
): Promise<ChangeRequest | undefined> {
  const { changeRequest } = answer ?? {}
  return changeRequest === undefined ? undefined : await findChangeRequest(connection, changeRequest)
}

/** Returns what programs are told of it. */
export function toldDraft(draft: ChangeRequest | undefined): object {
  if (draft === undefined) return {}
  const { id, number, state } = draft
  return { changeRequest: { id, number, state } }
}

/** Prints the answer of one write: all of it for programs, else the words; then the change request that has it. */
export async function printWritten(
  connection: Connection,
  { written, answer, words }: { written: object; answer: DraftQuery | undefined; words: string },
  { json }: DraftOptions,
): Promise<void> {
  const draft = await writtenDraft(connection, answer)
  if (json === true) return printJson({ ...written, ...toldDraft(draft) })
  console.log(words)
  if (draft !== undefined) printDraft(connection, draft)
}

/** Says where a change is, and what to do next. */
export function printDraft(connection: Connection, { number, state }: Pick<ChangeRequest, 'number' | 'state'>): void {
  const site = siteOption(connection)
  printError(`Nothing is live yet: change request ${number} (${state}) has it.`)
  printError(`Look: palimpsest changes show ${number}${site}`)
  printError(`Publish: palimpsest changes publish ${number}${site}`)
}

async function closeRequest(connection: Connection, request: ChangeRequest): Promise<ChangeRequest> {
  return await changeState(connection, request, 'closed')
}

export async function changeState(
  { client }: Connection,
  { id }: Pick<ChangeRequest, 'id'>,
  state: 'closed' | 'draft',
): Promise<ChangeRequest> {
  return dataOf(await client.PATCH('/change-requests/{id}', { params: { path: { id } }, body: { state } }))
}

async function make(connection: Connection, { message }: DraftOptions): Promise<ChangeRequest> {
  const { id } = await siteOf(connection)
  const params = { path: { id }, header: { 'Idempotency-Key': crypto.randomUUID() } }
  const body = message === undefined ? {} : { title: message.slice(0, MAX_TITLE_CHARACTERS) }
  return dataOf(await connection.client.POST('/sites/{id}/change-requests', { params, body }))
}

const MAX_TITLE_CHARACTERS = 200

/** Closes a request that the service wrote nothing to; after a lost connection, says how to go on. */
async function leave(connection: Connection, draft: ChangeRequest, error: unknown): Promise<void> {
  if (error instanceof Refusal || error instanceof LeftOut)
    return void (await closeRequest(connection, draft).catch(() => undefined))
  printError(`Change request ${draft.number} is open for this: go on with --draft ${draft.number}.`)
}
