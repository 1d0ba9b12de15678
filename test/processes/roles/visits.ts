// Requests of visitors to processes of either role, on connections of their own or on kept ones.

import { once } from 'node:events'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { ApiClient } from '../../scenarios/client.js'
import { git } from '../../support/git.js'

export interface Answer {
  status: number
  body: string
}

/** GET of a page of a site. */
export function visitAnew(
  port: number,
  label: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return answerTo(beginVisit({ port, agent: false, label, path, headers }))
}

export interface Visit {
  port: number
  agent: Agent | false
  label: string
  path?: string
  headers?: Record<string, string>
}

/** A GET that is on its way. */
export function beginVisit({ port, agent, label, path = '/', headers = {} }: Visit): ClientRequest {
  return request({ host: '127.0.0.1', port, path, agent, headers: { Host: `${label}.localhost`, ...headers } }).end()
}

export async function answerTo(sent: ClientRequest): Promise<Answer> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, body: await text(response) }
}

/** Connections that are kept: one to each port. */
export class KeptConnections {
  readonly #agents: ReadonlyMap<number, Agent>

  constructor(ports: readonly number[]) {
    this.#agents = new Map(ports.map((port) => [port, new Agent({ keepAlive: true, maxSockets: 1 })]))
  }

  /** Visits each port on its kept connection and on a new one, and returns the answers. */
  visit(label: string, path: string, headers: Record<string, string> = {}): Promise<Answer[]> {
    const ways = [...this.#agents].flatMap(([port, agent]) => [
      { port, agent },
      { port, agent: false as const },
    ])
    return Promise.all(ways.map((way) => answerTo(beginVisit({ ...way, label, path, headers }))))
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy()
  }
}

/** Returns the label of the host that always shows the site as it is now. */
export function versionLabel(gitdir: string, slug: string): string {
  return `${git(gitdir, 'rev-parse', 'main').slice(0, 20)}--${slug}`
}

/** A link to the site as it is, as a visitor has it who has opened it. */
export async function makeLink(
  api: ApiClient,
  siteId: string,
): Promise<{ id: string; label: string; headers: Record<string, string> }> {
  const { body: site } = await api.get(`/sites/${siteId}/commits?limit=1`).expect(200)
  const [{ id: commit }] = site.data as [{ id: string }]
  const { body } = await api.post(`/sites/${siteId}/links`).send({ commit }).expect(201)
  const { id, url } = body.data as { id: string; url: string }
  const [, secret = ''] = /\.open\/([^/]+)/.exec(url) ?? []
  const [label = ''] = new URL(url).hostname.split('.')
  return { id, label, headers: { Cookie: `link=${secret}` } }
}

export async function createSite(api: ApiClient, slug: string): Promise<string> {
  const { body } = await api.post('/sites').send({ slug }).expect(201)
  return (body.data as { id: string }).id
}
