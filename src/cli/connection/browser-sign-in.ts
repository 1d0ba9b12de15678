// Signs in with the browser of this machine: the code comes back to a port of the loopback address (RFC 8252 §7.3), with PKCE.

import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { printError } from '../terminal/printable.js'
import { openBrowser } from '../local/browser.js'
import { asUnusable, registerClient, resourceOf, tokensOf } from './authorization-server.js'
import type { Tokens } from './credentials.js'

const DONE = 'You are signed in. Close this tab, and go back to the terminal.'
const REFUSED = 'Sign-in failed. The terminal says why.'
const PLAIN = { 'Content-Type': 'text/plain; charset=utf-8' }

/** Opens the browser and waits for the person. Throws Unusable if the person says no, or the service does. */
export async function signInByBrowser(baseUrl: string): Promise<Tokens> {
  const [verifier, state] = [randomPKCECodeVerifier(), randomState()]
  const resource = resourceOf(baseUrl)
  const listener = createServer()
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  try {
    const redirect = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/callback`
    const client = await registerClient(baseUrl, { redirect_uris: [redirect] })
    const url = buildAuthorizationUrl(client, {
      redirect_uri: redirect,
      scope: 'read write sites offline_access',
      resource,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
    })
    printError(`Opening the browser. If nothing opens, go to:\n\n  ${url.href}\n`)
    // If nothing opens, the printed address remains.
    void openBrowser(url.href)
    const { answered, response } = await receiveRedirect(listener, redirect, state)
    // A browser that went away does not undo the sign-in.
    const closed = once(response, 'close').catch(() => undefined)
    try {
      const checks = { pkceCodeVerifier: verifier, expectedState: state }
      const answer = await authorizationCodeGrant(client, answered, checks, { resource })
      response.writeHead(200, PLAIN).end(DONE)
      return tokensOf(client, answer)
    } catch (error) {
      response.writeHead(400, PLAIN).end(REFUSED)
      throw asUnusable(error)
    } finally {
      await closed
    }
  } finally {
    listener.close()
    listener.closeAllConnections()
  }
}

/** Waits for the redirect. One with another state is of another request. */
async function receiveRedirect(
  listener: Server,
  redirect: string,
  state: string,
): Promise<{ answered: URL; response: ServerResponse }> {
  return await new Promise((resolve) => {
    listener.on('request', (request, response) => {
      const answered = new URL(request.url ?? '', redirect)
      const isOurs = answered.pathname === '/callback' && answered.searchParams.get('state') === state
      if (isOurs) resolve({ answered, response })
      else response.writeHead(404).end()
    })
  })
}
