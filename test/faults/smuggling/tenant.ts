// An innocent client with a workspace, a site and a key of its own: it asks through the same endpoints as the random streams, and knows which
// answers are its own and what its repository may hold.

import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request as askPlainly } from 'node:http'
import { request as askByTls } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { runPalimpsest } from '../../scenarios/serve-process.js'
import { git } from '../../support/git.js'
import type { Endpoint } from './endpoints.js'
import { PATIENCE_MS } from '../../support/within.js'

const TRIES_WHILE_BUSY = 5
const PRECIOUS = '/precious.txt'
const OWN_FILES = 5
const MAX_OBJECT_BYTES = 2 ** 30

export class Tenant {
  readonly slug: string
  readonly key: string
  /** Is in its request ids and in all that it publishes. */
  readonly marker: string
  readonly #workspace: string
  readonly #gitdir: string
  #asked = 0

  private constructor(slug: string, key: string, workspace: string, dataDir: string) {
    this.slug = slug
    this.key = key
    this.marker = `${slug}-${randomUUID()}`
    this.#workspace = workspace
    this.#gitdir = join(dataDir, `${slug}.git`)
  }

  static async make(dataDir: string, slug: string): Promise<Tenant> {
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await runPalimpsest({ DATA_DIR: dataDir }, ...args)
      if (code !== 0) throw new Error(stderr)
      return stdout.trim()
    }
    const made = await run('workspaces', 'create', slug, '--site', slug)
    const [workspace = ''] = /[0-9a-f-]{36}/.exec(made) ?? []
    return new Tenant(
      slug,
      await run('keys', 'create', '--workspace', workspace, '--scopes', 'write'),
      workspace,
      dataDir,
    )
  }

  /** Texts that no other client may ever get. */
  get secrets(): string[] {
    return [this.key, this.marker, this.#workspace]
  }

  /** Returns the fault; undefined if there is none. */
  publishPrecious(endpoint: Endpoint): Promise<string | undefined> {
    return this.#ask(endpoint, 'PUT', `/files?path=${PRECIOUS}`, this.marker)
  }

  /** Requests something of its own. Returns the fault of the answer; undefined if it is its own. */
  askForOwn(endpoint: Endpoint): Promise<string | undefined> {
    const number = this.#asked++
    if (number % 3 !== 0) return this.#ask(endpoint, 'GET', '/me')
    return this.#ask(endpoint, 'PUT', `/files?path=/own-${number % OWN_FILES}.txt`, `${this.marker} ${number}`)
  }

  async #ask(endpoint: Endpoint, method: string, path: string, body?: string): Promise<string | undefined> {
    const requestId = `${this.marker}-${randomUUID()}`
    const asked = `${method} ${path} of ${this.slug} through ${endpoint.name}`
    for (let tried = 1; ; tried++) {
      const answer = await this.#send(endpoint, method, path, requestId, body).catch((error: Error) => error)
      if (answer instanceof Error) return `${asked}: ${answer.message}`
      if (answer.status === 503 && tried < TRIES_WHILE_BUSY) continue
      const { status, id, said } = answer
      if (status !== 200 && status !== 201) return `${asked}: answered ${status} ${said}`
      if (id !== requestId) return `${asked}: the answer to ${String(id)}`
      if (method === 'GET' && !said.includes(this.#workspace)) return `${asked}: answered ${said}`
      return undefined
    }
  }

  async #send(endpoint: Endpoint, method: string, path: string, requestId: string, body?: string) {
    const ask = endpoint.isTls ? askByTls : askPlainly
    const sent = ask({
      host: '127.0.0.1',
      port: endpoint.port,
      rejectUnauthorized: false,
      agent: false,
      method,
      path: `/api/v1${path}`,
      headers: {
        host: endpoint.host,
        authorization: `Bearer ${this.key}`,
        'x-request-id': requestId,
        'content-type': 'text/plain',
      },
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return { status: response.statusCode ?? 0, id: response.headers['x-request-id'], said: await text(response) }
  }

  /** Lines that say what its repository lacks, or has of others. */
  judgeRepository(secretsOfOthers: readonly string[]): string[] {
    const wrong: string[] = []
    const names = git(this.#gitdir, 'ls-tree', '-r', '--name-only', 'main').split('\n')
    const others = names.filter(
      (name) => !/^(?:precious\.txt|own-\d\.txt|index\.html|\.site\.json|\.pages\/.*)$/.test(name),
    )
    if (others.length > 0) wrong.push(`${this.slug} has ${others.join(', ')}`)
    const precious = names.includes('precious.txt') ? git(this.#gitdir, 'show', 'main:precious.txt') : 'nothing'
    if (precious !== this.marker) wrong.push(`${this.slug} has ${precious} in place of ${this.marker}`)
    return [...wrong, ...this.findSecrets(secretsOfOthers)]
  }

  /** Lines that say what any object of its repository has of others. */
  findSecrets(secretsOfOthers: readonly string[]): string[] {
    const options = { maxBuffer: MAX_OBJECT_BYTES, stdio: 'pipe' } as const
    const args = ['-C', this.#gitdir, 'cat-file', '--batch-all-objects', '--batch', '--buffer']
    const objects = execFileSync('git', args, options)
    return secretsOfOthers.filter((secret) => objects.includes(secret)).map((secret) => `${this.slug} has ${secret}`)
  }
}
