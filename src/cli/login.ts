// `palimpsest login`: asks for a key without showing it, tries it, and stores it for the commands that talk to the service.

import { isCancel, password } from '@clack/prompts'
import type { Command } from 'commander'
import { createClient, dataOf } from '../protocols/client/client.js'
import { ServiceError } from '../model/errors.js'
import { apiBaseUrl, NoApiKey, storeApiKey } from './connection/credentials.js'
import { serviceFetch } from './connection/service-fetch.js'

export function addLogin(program: Command): void {
  program
    .command('login')
    .description('ask for an API key and store it for the commands that talk to the service at BASE_URL')
    .action(login)
}

async function login(): Promise<void> {
  const baseUrl = apiBaseUrl(process.env)
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw new NoApiKey(baseUrl)
  const key = await password({
    message: `API key for ${baseUrl} (the dashboard or "keys create" on the server makes one)`,
    validate: (text) => (text === undefined || text.trim() === '' ? 'Paste the key.' : undefined),
  })
  if (isCancel(key)) {
    process.exitCode = 1
    return
  }
  const client = createClient({ baseUrl, key: key.trim(), fetch: serviceFetch })
  const answer = await client.GET('/me').catch(() => undefined)
  if (answer === undefined)
    throw new ServiceError('not_found', `Nothing answers at ${baseUrl}: is the service running?`)
  const me = dataOf(answer)
  const path = storeApiKey(process.env, baseUrl, key.trim())
  console.log(`Logged in to ${baseUrl} as "${me.key.label}" (${me.scopes.join(', ')}). The key is in ${path}.`)
}
