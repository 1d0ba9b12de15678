// `palimpsest login` stores a login for the commands that talk to the service: by browser, or with a key that is asked for without showing
// it or read from standard input. `palimpsest logout` forgets it.

import { text } from 'node:stream/consumers'
import { isCancel, password } from '@clack/prompts'
import type { Command } from 'commander'
import { createClient, dataOf } from '../protocols/client/client.js'
import { apiBaseUrl, removeLogin, storeLogin, type Tokens } from './connection/credentials.js'
import { Unusable } from './connection/unusable.js'
import { serviceFetch } from './connection/service-fetch.js'
import { findAuthorizationServer, OtherAddress, postForm } from './connection/authorization-server.js'
import { hasBrowser, signInByBrowser } from './connection/browser-sign-in.js'
import { signInByDevice } from './connection/device-sign-in.js'
import { tokensOf } from './connection/tokens.js'
import { cell, printError } from './terminal/printable.js'

interface LoginOptions {
  key?: true
  device?: true
}

export function addLogin(program: Command): void {
  program
    .command('login')
    .description('sign in to the service at PALIMPSEST_URL in the browser, or with a key')
    .option('--key', 'ask for an API key; from standard input without a terminal')
    .option('--device', 'sign in with the browser of another machine')
    .action(login)
  program.command('logout').description('forget what "login" stored for that service').action(logout)
}

async function login(options: LoginOptions): Promise<void> {
  const baseUrl = apiBaseUrl(process.env)
  const isKey = options.key === true || (!process.stdin.isTTY && options.device !== true)
  const stored = isKey ? await readKey(baseUrl) : ((await signIn(baseUrl, options)) ?? (await readKey(baseUrl)))
  if (stored === undefined) {
    process.exitCode = 1
    return
  }
  const key = typeof stored === 'string' ? stored : stored.accessToken
  const me = dataOf(await createClient({ baseUrl, key, fetch: serviceFetch }).GET('/me'))
  const path = storeLogin(process.env, baseUrl, stored)
  const what = typeof stored === 'string' ? 'The key' : 'The login'
  console.log(`Logged in to ${baseUrl} as "${cell(me.key.label)}" (${me.scopes.join(', ')}). ${what} is in ${path}.`)
}

/** Signs in by browser; undefined for a service that offers that to nobody. */
async function signIn(baseUrl: string, { device }: LoginOptions): Promise<Tokens | undefined> {
  const server = await findAuthorizationServer(baseUrl).catch((error: unknown) => {
    if (device === true || !(error instanceof OtherAddress)) throw error
    printError(error.message)
    return undefined
  })
  if (server === undefined && device === true) throw new Unusable(`${baseUrl} is too old for this: use --key.`)
  if (server === undefined) return undefined
  const isHere = device !== true && hasBrowser(process.env)
  const { clientId, answer } = await (isHere ? signInByBrowser(baseUrl, server) : signInByDevice(baseUrl, server))
  return tokensOf(clientId, answer, {
    tokenEndpoint: server.token_endpoint,
    revocationEndpoint: server.revocation_endpoint,
  })
}

async function readKey(baseUrl: string): Promise<string | undefined> {
  const key = process.stdin.isTTY ? await askKey(baseUrl) : (await text(process.stdin)).trim()
  if (key === '')
    throw new Unusable('Send the key on standard input, as in "palimpsest login < key", or set PALIMPSEST_TOKEN.')
  return key
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

async function logout(): Promise<void> {
  const baseUrl = apiBaseUrl(process.env)
  const removed = removeLogin(process.env, baseUrl)
  if (removed === undefined) console.log(`No key for ${baseUrl} is stored.`)
  else if (typeof removed === 'string') console.log(`The key for ${baseUrl} is removed here. It stays valid.`)
  else console.log(`The login to ${baseUrl} is removed here${(await revoke(removed)) ? ' and has ended' : ''}.`)
}

/** Ends the login at the service too. False if the service does not answer: then it ends by itself, or in the dashboard. */
async function revoke({ clientId, refreshToken, revocationEndpoint }: Tokens): Promise<boolean> {
  return await postForm(revocationEndpoint, { client_id: clientId, token: refreshToken }).then(
    () => true,
    () => false,
  )
}
