// The tokens of a login by browser: renews the access token before it expires. A refresh token works once (RFC 9700 §4.14.2), so one
// process at a time renews, under a lock file.

import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { credentialsPath, readLogin, storeLogin, type Tokens } from './credentials.js'
import { Unusable } from './unusable.js'
import { invocation } from '../terminal/invocation.js'

type Environment = Readonly<Record<string, string | undefined>>

/** An access token is renewed this long before it expires, so that a request in hand does not meet the end. */
const MARGIN_MS = 60_000
/** A lock this old is one that a killed process left. */
const STALE_LOCK_MS = 30_000
const LOCK_PAUSE_MS = 50

/** Returns an access token that is valid for a minute or more. Throws Unusable if the login has ended. */
export async function freshAccessToken(env: Environment, baseUrl: string, tokens: Tokens): Promise<string> {
  if (isFresh(tokens)) return tokens.accessToken
  const unlock = await lock(`${credentialsPath(env)}.lock`)
  try {
    const now = readLogin(env, baseUrl)
    // Another process renewed it, or the person logged in with a key, while this one waited.
    if (typeof now === 'string') return now
    if (now !== undefined && isFresh(now)) return now.accessToken
    const renewed = await renew(baseUrl, now ?? tokens)
    storeLogin(env, baseUrl, renewed)
    return renewed.accessToken
  } finally {
    unlock()
  }
}

function isFresh({ expiresAt }: Tokens): boolean {
  return Date.parse(expiresAt) - MARGIN_MS > Date.now()
}

/** Once in an hour or so: the other commands do not wait for this code. */
async function renew(baseUrl: string, tokens: Tokens): Promise<Tokens> {
  const { refreshTokenGrant } = await import('openid-client')
  const { clientOf, resourceOf, tokensOf } = await import('./authorization-server.js')
  const client = clientOf(baseUrl, tokens)
  try {
    return tokensOf(client, await refreshTokenGrant(client, tokens.refreshToken, { resource: resourceOf(baseUrl) }))
  } catch (error) {
    if (error instanceof TypeError) throw error
    throw new Unusable(`Your login to ${baseUrl} has ended: run "${invocation()} login".`)
  }
}

async function lock(path: string): Promise<() => void> {
  for (;;) {
    try {
      closeSync(openSync(path, 'wx', 0o600))
      return () => rmSync(path, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
      if (age > STALE_LOCK_MS) rmSync(path, { force: true })
      else await pause(LOCK_PAUSE_MS)
    }
  }
}
