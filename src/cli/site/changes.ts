// `palimpsest changes`: lists the change requests of a site, shows and closes them. The commands that update and publish them are beside it.

import { type Command, Option } from 'commander'
import { dataOf, entriesOf } from '../../protocols/client/client.js'
import { changeState, type ChangeRequest, findChangeRequest } from '../authors/draft.js'
import { announceSite } from '../connection/announce-site.js'
import { type AuthorOptions, connect, forAuthors, siteOf } from '../connection/connection.js'
import { timeCell } from '../terminal/age.js'
import { cell, printJson } from '../terminal/printable.js'
import { printFacts, printTable } from '../terminal/table.js'
import { addPublish } from './publish-request.js'
import { addUpdate, printConflicts } from './update-request.js'

const STATES = ['open', 'draft', 'review', 'closed', 'all'] as const

interface ListOptions extends AuthorOptions {
  state?: (typeof STATES)[number]
  mine?: true
  scheduled?: true
}

export function addChanges(program: Command): void {
  const changes = program
    .command('changes')
    .summary('list, show and publish change requests')
    .description('list change requests, which "publish --draft" makes')
  forAuthors(changes.command('list', { isDefault: true }).description('list the open ones, the newest first'))
    .addOption(new Option('--state <state>', 'those in this state; closed ones are published or ended').choices(STATES))
    .option('--mine', 'only your own')
    .option('--scheduled', 'only those that are published later, by time')
    .action(list)
  forAuthors(changes.command('show <number>').description('show a change request, and what it changes')).action(show)
  addPublish(changes)
  addUpdate(changes)
  forAuthors(
    changes.command('close <number>').description('end it unpublished; for 90 days it can be reopened'),
  ).action(setState('closed', 'Closing'))
  forAuthors(changes.command('reopen <number>').description('open a closed one again')).action(
    setState('draft', 'Reopening'),
  )
  forAuthors(changes.command('link <number>').description('make a link that shows it to people without a key')).action(
    share,
  )
}

async function list(options: ListOptions): Promise<void> {
  const connection = await connect(options)
  const { id } = await siteOf(connection)
  const { state, mine, scheduled } = options
  const wanted = {
    ...(state !== undefined && { state }),
    ...(mine === true && { author: 'me' as const }),
    ...(scheduled === true && { scheduled }),
  }
  const read = (slice: { cursor?: string }) =>
    connection.client.GET('/sites/{id}/change-requests', {
      params: { path: { id }, query: { ...wanted, ...slice, limit: 1000 } },
    })
  const found: ChangeRequest[] = []
  for await (const request of entriesOf(read)) found.push(request)
  if (options.json) return printJson(found)
  printTable(
    ['number', 'state', 'author', scheduled === true ? 'published at' : 'changed', 'title'],
    found.map((request) => [
      String(request.number),
      request.heldAt === null ? request.state : 'held',
      cell(request.author),
      scheduled === true ? (request.publishAt ?? '') : timeCell(request.updatedAt),
      cell(request.title),
    ]),
  )
}

async function show(name: string, options: AuthorOptions): Promise<void> {
  const connection = await connect(options)
  const { client } = connection
  const request = await findChangeRequest(connection, name)
  const path = { id: request.id }
  const read = (slice: { cursor?: string }) =>
    client.GET('/change-requests/{id}/changes', { params: { path, query: { ...slice, limit: 1000 } } })
  const changed = []
  for await (const change of entriesOf(read)) changed.push(change)
  const isOpen = request.state === 'draft' || request.state === 'review'
  const conflicts = isOpen ? dataOf(await client.GET('/change-requests/{id}/conflicts', { params: { path } })) : []
  if (options.json) return printJson({ ...request, changes: changed, conflicts })
  printRequest(request)
  printTable(
    ['', 'changes'],
    changed.map(({ change, path: file }) => [change, cell(file)]),
  )
  printConflicts(conflicts)
}

function setState(state: 'closed' | 'draft', doing: string) {
  return async (name: string, options: AuthorOptions): Promise<void> => {
    const connection = await connect(options)
    const { id, number } = await findChangeRequest(connection, name)
    await announceSite(connection, `${doing} change request ${number} of`, options)
    const request = await changeState(connection, { id }, state)
    if (options.json) return printJson(request)
    console.log([request.state, String(request.number), cell(request.title)].join('\t'))
  }
}

async function share(name: string, options: AuthorOptions): Promise<void> {
  const connection = await connect(options)
  const { id } = await findChangeRequest(connection, name)
  const made = dataOf(
    await connection.client.POST('/change-requests/{id}/links', { params: { path: { id } }, body: {} }),
  )
  if (options.json) return printJson(made)
  console.log(cell(made.url))
}

function printRequest({
  id,
  number,
  title,
  state,
  author,
  makers,
  head,
  approvals,
  published,
  publishAt,
  scheduledBy,
  heldReason,
  updatedAt,
}: ChangeRequest): void {
  const facts = {
    number: String(number),
    title,
    state,
    author,
    'written by': makers.map(({ label }) => label).join(', '),
    'approved by': approvals.flatMap(({ commit, label }) => (commit === head ? [label] : [])).join(', '),
    published,
    'published at': publishAt === null ? null : `${publishAt}, as ${scheduledBy ?? ''} set it`,
    held: heldReason,
    changed: timeCell(updatedAt),
    id,
  }
  const told = Object.entries(facts).filter(([, value]) => value !== null && value !== '')
  printFacts(told.map(([name, value]) => [name, String(value)]))
}
