// `palimpsest mirror`: shows the mirror of a site and its state, sets, retries and removes it.

import { setTimeout as pause } from 'node:timers/promises'
import type { Command } from 'commander'
import { type DataOf, dataOf } from '../../protocols/client/client.js'
import {
  type AuthorOptions,
  connect,
  type Connection,
  forAuthors,
  siteOf,
  siteOption,
} from '../connection/connection.js'
import { adviseIfLate } from '../connection/service-fetch.js'
import { timeCell } from '../terminal/age.js'
import { cell, printError, printJson } from '../terminal/printable.js'
import { startStatus } from '../terminal/status.js'
import { printFacts } from '../terminal/table.js'
import { askCredentials, type CredentialOptions, withCredentials } from './ask-credentials.js'

type Mirror = DataOf<'/sites/{id}/mirror', 'get'>

interface WaitOptions extends AuthorOptions {
  wait: boolean
}

const LOOK_MS = 500

export function addMirror(program: Command): void {
  const mirror = program.command('mirror').description('mirror a site to a repository elsewhere, and show the state')
  forAuthors(mirror.command('get', { isDefault: true }).description('print its URL and state')).action(get)
  withCredentials(forAuthors(mirror.command('set <url>').description('push main and the tags there after each change')))
    .option('--no-wait', 'do not wait for the first push')
    .action(set)
  forAuthors(mirror.command('retry').description('try it again at once, also after it stopped'))
    .option('--no-wait', 'do not wait for the push')
    .action(retry)
  forAuthors(mirror.command('remove').description('stop it; the remote stays as it is')).action(remove)
}

async function get(options: AuthorOptions): Promise<void> {
  const { path, connection } = await open(options)
  print(connection, dataOf(await connection.client.GET('/sites/{id}/mirror', { params: { path } })), options)
}

async function set(url: string, options: WaitOptions & CredentialOptions): Promise<void> {
  const { path, connection } = await open(options)
  const credentials = await askCredentials(options)
  const body = { url, ...(credentials && { credentials }) }
  const mirror = dataOf(await connection.client.PUT('/sites/{id}/mirror', { params: { path }, body }))
  await finish(connection, path, mirror, options)
}

async function retry(options: WaitOptions): Promise<void> {
  const { path, connection } = await open(options)
  const mirror = dataOf(await connection.client.POST('/sites/{id}/mirror/retry', { params: { path } }))
  await finish(connection, path, mirror, options)
}

async function remove(options: AuthorOptions): Promise<void> {
  const { path, connection } = await open(options)
  const removed = dataOf(await connection.client.DELETE('/sites/{id}/mirror', { params: { path } }))
  if (options.json) return printJson(removed)
  printError('The mirror is removed. The remote stays as it is.')
}

async function open(options: AuthorOptions): Promise<{ connection: Connection; path: { id: string } }> {
  const connection = await connect(options)
  const { id } = await siteOf(connection)
  return { connection, path: { id } }
}

/** Waits until the push is over, and prints the outcome. A mirror that is not `ok` then makes the exit code 1. */
async function finish(
  connection: Connection,
  path: { id: string },
  begun: Mirror,
  options: WaitOptions,
): Promise<void> {
  let mirror = begun
  const status = startStatus()
  try {
    while (options.wait && mirror.state === 'behind') {
      status.show('Pushes', cell(mirror.url ?? ''))
      await pause(LOOK_MS)
      const answer = await adviseIfLate(
        `The push goes on: "palimpsest mirror${siteOption(connection)}" prints its state.`,
        () => connection.client.GET('/sites/{id}/mirror', { params: { path } }),
      )
      mirror = dataOf(answer)
    }
  } finally {
    status.close()
  }
  print(connection, mirror, options)
  if (options.wait && mirror.state !== 'ok') process.exitCode = 1
}

function print(connection: Connection, mirror: Mirror, { json }: AuthorOptions): void {
  if (json) return printJson(mirror)
  const { url, state, lag, error, lastSuccessAt, nextTryAt } = mirror
  if (url === null) {
    const command = `palimpsest mirror set <url>${siteOption(connection)}`
    return printError(`The site has no mirror: "${command}" sets one.`)
  }
  const [lastSuccess, nextTry] = [lastSuccessAt, nextTryAt].map((time) => time && timeCell(time))
  const facts = { url, state, lag, 'last success': lastSuccess, 'next try': nextTry, error }
  printFacts(Object.entries(facts).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)] as const])))
}
