// A service with identity providers, and the steps that the tests of signing in there share.

import assert from 'node:assert/strict'
import { startOwnService, type TestService, type TestServiceOptions } from '../service.js'
import type { Landing, Visitor } from './visitor.js'

export interface SignInService {
  service: TestService
  /** The URL of a path of the service, as browsers know it. */
  at(path: string): string
  /** Signs in at the provider with this id. */
  enter(visitor: Visitor, id: string, query?: string, fields?: Record<string, string>): Promise<Landing>
  /** Sends a request of the API as the visitor's dashboard does. */
  ask(visitor: Visitor, path: string, method?: string): Promise<{ status: number; body: Answer }>
  /** The reason that the sign-in screen shows; undefined without one. */
  problem(
    visitor: Visitor,
  ): Promise<{ code: string; message: string; name?: string; email?: string; isSignedIn: boolean } | undefined>
}

// oxlint-disable-next-line typescript/no-explicit-any -- answers of many endpoints
type Answer = any

/** Starts a service that knows these providers. */
export async function startSignInService(
  providers: readonly object[],
  options: TestServiceOptions = {},
): Promise<SignInService> {
  const service = await startOwnService({
    ...options,
    env: { SIGN_IN_PROVIDERS: JSON.stringify(providers), ...options.env },
  })
  const at = (path: string) => `http://localhost:${service.server.port}${path}`
  const ask = async (visitor: Visitor, path: string, method = 'GET') => {
    const answer = await visitor.send(at(path), { 'Sec-Fetch-Site': 'same-origin' }, method)
    return { status: answer.status, body: (await answer.json()) as Answer }
  }
  return {
    service,
    at,
    ask,
    enter: (visitor, id, query = '', fields = {}) => visitor.go(at(`/session/provider/${id}${query}`), { fields }),
    async problem(visitor) {
      const { status, body } = await ask(visitor, '/session/providers')
      assert.equal(status, 200)
      return body.data.problem
    },
  }
}
