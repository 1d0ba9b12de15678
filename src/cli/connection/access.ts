// The address, the bearer and the `fetch` with which a command talks to the service.

import { freshAccessToken } from './tokens.js'
import { apiBaseUrl, findApiKey, findTokens, requireApiKey } from './credentials.js'
import { serviceFetch } from './service-fetch.js'

type Environment = Readonly<Record<string, string | undefined>>

export interface Access {
  baseUrl: string
  /** A key, or an access token that was valid at the start. */
  key: string
  fetch: (request: Request) => Promise<Response>
}

/** Returns the access that the environment or the last login gives. Throws NoApiKey, InvalidBaseUrl and Unusable. */
export async function findAccess(env: Environment): Promise<Access> {
  const baseUrl = apiBaseUrl(env)
  const tokens = findTokens(env, baseUrl)
  if (tokens === undefined) return { baseUrl, key: requireApiKey(env, baseUrl), fetch: serviceFetch }
  return {
    baseUrl,
    key: await freshAccessToken(env, baseUrl, tokens),
    fetch: async (request) => {
      // A command may run for longer than an access token is valid.
      const now = findTokens(env, baseUrl) ?? tokens
      request.headers.set('Authorization', `Bearer ${await freshAccessToken(env, baseUrl, now)}`)
      return await serviceFetch(request)
    },
  }
}

/** Returns a bearer that is valid now; undefined without one: what is public needs none. */
export async function findBearer(env: Environment, baseUrl: string): Promise<string | undefined> {
  const tokens = findTokens(env, baseUrl)
  return tokens === undefined ? findApiKey(env, baseUrl) : await freshAccessToken(env, baseUrl, tokens)
}
