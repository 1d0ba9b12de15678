// `palimpsest login`: takes a key on a terminal without showing it, or from standard input, tries it, and stores it for the commands that
// talk to the service. `palimpsest logout` forgets it.

import { text } from 'node:stream/consumers'
import { isCancel, password } from '@clack/prompts'
import type { Command } from 'commander'
import { createClient, dataOf } from '../protocols/client/client.js'
import { apiBaseUrl, removeApiKey, storeApiKey } from './connection/credentials.js'
import { Unusable } from './connection/explain.js'
import { serviceFetch } from './connection/service-fetch.js'
import { cell } from './terminal/printable.js'

export function addLogin(program: Command): void {
  program
    .command('login')
    .description('store an API key for the service at PALIMPSEST_URL; it is asked for, or read from standard input')
    .action(login)
  program.command('logout').description('forget the key that "login" stored for that service').action(logout)
}

async function login(): Promise<void> {
  const baseUrl = apiBaseUrl(process.env)
  const key = process.stdin.isTTY ? await askKey(baseUrl) : (await text(process.stdin)).trim()
  if (key === undefined) {
    process.exitCode = 1
    return
  }
  if (key === '')
    throw new Unusable('Send the key on standard input, as in "palimpsest login < key", or set PALIMPSEST_TOKEN.')
  const client = createClient({ baseUrl, key, fetch: serviceFetch })
  const me = dataOf(await client.GET('/me'))
  const path = storeApiKey(process.env, baseUrl, key)
  console.log(`Logged in to ${baseUrl} as "${cell(me.key.label)}" (${me.scopes.join(', ')}). The key is in ${path}.`)
}

/** Returns undefined after Ctrl-C. */
async function askKey(baseUrl: string): Promise<string | undefined> {
  const key = await password({
    message: `API key for ${baseUrl} (the dashboard or "keys create" on the server makes one)`,
    output: process.stderr,
    validate: (typed) => (typed === undefined || typed.trim() === '' ? 'Paste the key.' : undefined),
  })
  return isCancel(key) ? undefined : key.trim()
}

function logout(): void {
  const baseUrl = apiBaseUrl(process.env)
  const isRemoved = removeApiKey(process.env, baseUrl)
  console.log(
    isRemoved ? `The key for ${baseUrl} is removed here. It stays valid.` : `No key for ${baseUrl} is stored.`,
  )
}
