// Signs in with the browser of this machine: the code comes back to a port of the loopback address (RFC 8252 §7.3), with PKCE.

import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Unusable } from './unusable.js'
import { printError } from '../terminal/printable.js'
import {
  type AuthorizationServer,
  postForm,
  registerClient,
  resourceOf,
  type SignedIn,
  type TokenAnswer,
} from './authorization-server.js'

type Environment = Readonly<Record<string, string | undefined>>

const DONE = 'You are signed in. Close this tab, and go back to the terminal.'
const REFUSED = 'Sign-in failed. The terminal says why.'

/** Whether a browser can be opened that reaches this machine's loopback address. */
export function hasBrowser(env: Environment, platform = process.platform): boolean {
  if (env['SSH_CONNECTION'] || env['SSH_TTY']) return false
  return platform === 'darwin' || platform === 'win32' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'])
}

/** Opens the browser and waits for the person. Throws Unusable if the person says no, OAuthRefusal if the service does. */
export async function signInByBrowser(baseUrl: string, server: AuthorizationServer): Promise<SignedIn> {
  const verifier = randomBytes(32).toString('base64url')
  const state = randomBytes(16).toString('base64url')
  const listener = createServer()
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  try {
    const redirect = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/callback`
    const clientId = await registerClient(server, { redirect_uris: [redirect] })
    const url = new URL(server.authorization_endpoint)
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirect,
      scope: 'read write sites offline_access',
      resource: resourceOf(baseUrl),
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state,
    }).toString()
    printError(`Opening the browser. If nothing opens, go to:\n\n  ${url.href}\n`)
    open(url.href)
    const code = await receiveCode(listener, { state, issuer: server.issuer })
    const answer = await postForm<TokenAnswer>(server.token_endpoint, {
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      redirect_uri: redirect,
      code_verifier: verifier,
      resource: resourceOf(baseUrl),
    })
    return { clientId, answer }
  } finally {
    listener.close()
    listener.closeAllConnections()
  }
}

/** Waits for the redirect. An answer with another state is of another request, and one of another issuer is a mix-up (RFC 9207). */
async function receiveCode(listener: Server, { state, issuer }: { state: string; issuer: string }): Promise<string> {
  return await new Promise((resolve, reject) => {
    listener.on('request', (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
      if (pathname !== '/callback' || searchParams.get('state') !== state) {
        response.writeHead(404).end()
        return
      }
      const code = searchParams.get('iss') === issuer ? searchParams.get('code') : null
      response.writeHead(code === null ? 400 : 200, { 'Content-Type': 'text/plain; charset=utf-8' })
      response.end(code === null ? REFUSED : DONE)
      if (code !== null) resolve(code)
      else reject(new Unusable(`The service did not sign you in: ${searchParams.get('error') ?? 'wrong issuer'}.`))
    })
  })
}

/** Opens the person's browser. Without one, the printed address remains. */
function open(url: string): void {
  const [program, args] =
    process.platform === 'darwin'
      ? ['open', [url]]
      : process.platform === 'win32'
        ? ['rundll32', ['url.dll,FileProtocolHandler', url]]
        : ['xdg-open', [url]]
  const child = spawn(program, args, { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}
