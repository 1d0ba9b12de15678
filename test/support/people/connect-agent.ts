// Connects agents in tests as a browser does, with the cookies of its redirects and the session of a person.

import { createHash, randomBytes } from 'node:crypto'
import assert from 'node:assert/strict'
import type { TestService } from '../service.js'
import type { SignedIn } from './sign-in-as.js'

/** The address of a program that waits on this machine. Nothing listens there: the tests read where the browser is sent. */
export const CALLBACK = 'http://127.0.0.1:7777/callback'

/** The part of a service, in this process or another one, that is needed here. */
export interface Served {
  server: { port: number }
}

export interface Tokens {
  access_token: string
  refresh_token: string
  scope: string
  expires_in: number
}

export interface Asked {
  clientId: string
  verifier: string
  scope?: string
  resource?: string
  redirect?: string
  extra?: Record<string, string>
}

/** A browser that keeps the cookies of the paths it visits. */
export class TestBrowser {
  readonly origin: string
  readonly #cookies = new Map<string, { value: string; path: string }>()

  constructor(service: Served, session?: string) {
    this.origin = `http://localhost:${service.server.port}`
    if (session !== undefined) this.#take([`${session}; path=/`])
  }

  async visit(url: string, init: RequestInit = {}): Promise<Response> {
    const target = new URL(url, this.origin)
    const sent = [...this.#cookies].filter(([, { path }]) => target.pathname.startsWith(path))
    const headers = new Headers(init.headers)
    if (sent.length > 0) headers.set('Cookie', sent.map(([name, { value }]) => `${name}=${value}`).join('; '))
    if (!headers.has('Accept')) headers.set('Accept', 'text/html')
    const answer = await fetch(target, { ...init, headers, redirect: 'manual' })
    this.#take(answer.headers.getSetCookie())
    return answer
  }

  /** As the page of the dashboard does. */
  async ask(path: string, body?: object): Promise<Response> {
    const headers = { 'Sec-Fetch-Site': 'same-origin', Accept: 'application/json', 'Content-Type': 'application/json' }
    return await this.visit(
      path,
      body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) },
    )
  }

  #take(fields: readonly string[]): void {
    for (const field of fields) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(field) ?? []
      const path = /;\s*path=([^;]*)/i.exec(field)?.[1] ?? '/'
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, { value, path })
    }
  }
}

export function newVerifier(): string {
  return randomBytes(32).toString('base64url')
}

export async function registerClient(service: Served, metadata: object = {}): Promise<string> {
  const answer = await fetch(`http://localhost:${service.server.port}/oauth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_name: 'Test agent', redirect_uris: [CALLBACK], ...metadata }),
  })
  const body = (await answer.json()) as { client_id: string }
  assert.equal(answer.status, 201, JSON.stringify(body))
  return body.client_id
}

export function authorizeUrl({ clientId, verifier, scope, resource, redirect = CALLBACK, extra }: Asked): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirect,
    state: 'a-state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(scope !== undefined && { scope }),
    ...(resource !== undefined && { resource }),
    ...extra,
  })
  return `/oauth/authorize?${query.toString()}`
}

/** Begins the request of a client in the browser. Returns the path of its consent. */
export async function beginConsent(browser: TestBrowser, asked: Asked): Promise<string> {
  const answer = await browser.visit(authorizeUrl(asked))
  assert.equal(answer.status, 303, await answer.clone().text())
  return answer.headers.get('Location') ?? ''
}

/** Allows or denies as the person chooses: for all sites, unless the choice names some. Returns the URL to which the browser is sent at the end. */
export async function answerConsent(browser: TestBrowser, path: string, choice: object): Promise<URL> {
  const answered = await browser.ask(`${path}/answer`, { sites: null, ...choice })
  const body = (await answered.json()) as { data?: { goTo: string } }
  assert.equal(answered.status, 200, JSON.stringify(body))
  const back = await browser.visit(body.data?.goTo ?? '')
  assert.equal(back.status, 303, await back.clone().text())
  return new URL(back.headers.get('Location') ?? '')
}

export async function postForm(service: Served, path: string, fields: Record<string, string>): Promise<Response> {
  return await fetch(`http://localhost:${service.server.port}${path}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
  })
}

export async function exchange(
  service: Served,
  {
    code,
    clientId,
    verifier,
    redirect = CALLBACK,
  }: { code: string; clientId: string; verifier: string; redirect?: string },
): Promise<Response> {
  return await postForm(service, '/oauth/token', {
    grant_type: 'authorization_code',
    code,
    client_id: clientId,
    code_verifier: verifier,
    redirect_uri: redirect,
  })
}

/** Connects an agent for the person, all the way to its tokens. */
export async function connectAgent(
  service: TestService,
  person: SignedIn,
  { choice = {}, clientId, ...asked }: { choice?: object; clientId?: string; scope?: string; resource?: string } = {},
): Promise<Tokens & { clientId: string; code: string; verifier: string }> {
  const id = clientId ?? (await registerClient(service))
  const verifier = newVerifier()
  const browser = new TestBrowser(service, person.cookie)
  const path = await beginConsent(browser, { clientId: id, verifier, ...asked })
  const url = await answerConsent(browser, path, {
    allow: true,
    workspaceId: service.workspaceId,
    scope: 'write',
    ...choice,
  })
  const code = url.searchParams.get('code') ?? ''
  const answer = await exchange(service, { code, clientId: id, verifier })
  const tokens = (await answer.json()) as Tokens
  assert.equal(answer.status, 200, JSON.stringify(tokens))
  return { ...tokens, clientId: id, code, verifier }
}
