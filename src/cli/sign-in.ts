// Signs in by browser, or takes a key: from standard input, or typed without being shown. Signing out forgets it.

import { text } from 'node:stream/consumers'
import { isCancel, password } from '@clack/prompts'
import { tokenRevocation } from 'openid-client'
import { createClient, dataOf } from '../protocols/client/client.js'
import { apiBaseUrl, removeLogin, storeLogin, type Tokens } from './connection/credentials.js'
import { Unusable } from './connection/unusable.js'
import { serviceFetch } from './connection/service-fetch.js'
import { clientOf, NoSignIn, OtherAddress } from './connection/authorization-server.js'
import { hasBrowser } from './local/browser.js'
import { signInByBrowser } from './connection/browser-sign-in.js'
import { signInByDevice } from './connection/device-sign-in.js'
import { cell, printError } from './terminal/printable.js'

export interface LoginOptions {
  key?: true
  device?: true
}

export async function login(options: LoginOptions): Promise<void> {
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
  try {
    return await (device !== true && hasBrowser(process.env) ? signInByBrowser(baseUrl) : signInByDevice(baseUrl))
  } catch (error) {
    if (device === true || !(error instanceof OtherAddress || error instanceof NoSignIn)) throw error
    if (error instanceof OtherAddress) printError(error.message)
    return undefined
  }
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

export async function logout(): Promise<void> {
  const baseUrl = apiBaseUrl(process.env)
  const removed = removeLogin(process.env, baseUrl)
  if (removed === undefined) console.log(`No key for ${baseUrl} is stored.`)
  else if (typeof removed === 'string') console.log(`The key for ${baseUrl} is removed here. It stays valid.`)
  else
    console.log(`The login to ${baseUrl} is removed here${(await revoke(baseUrl, removed)) ? ' and has ended' : ''}.`)
}

/** Ends the login at the service too. False if the service does not answer: then it ends by itself, or in the dashboard. */
async function revoke(baseUrl: string, tokens: Tokens): Promise<boolean> {
  return await tokenRevocation(clientOf(baseUrl, tokens), tokens.refreshToken).then(
    () => true,
    () => false,
  )
}
