// Many sites of several workspaces. Clients read, list, search, write, push and deploy each of them, many at a time. Every answer is the
// right one, or a refusal that says when to try again.

import { randomUUID } from 'node:crypto'
import { runPalimpsest } from '../../scenarios/serve-process.js'
import { type ApiClient, visit } from '../../scenarios/client.js'
import type { Ground } from '../ground/ground.js'
import type { Report } from '../program.js'
import { pushFile } from '../pushes/push-file.js'
import { deployFolder } from './deploy-folder.js'

const WORKSPACES = 8
const PREPARED_AT_ONCE = 4
/** A connection that the service could not take. */
const CLOSED = /socket hang up|ECONNRESET|ECONNREFUSED|EPIPE/

export interface Answers {
  right: number
  /** 503 with `Retry-After`, or such a refusal in the words of git. */
  refused: number
  /** Connections that were closed without an answer. */
  closed: number
}

interface ManySite {
  slug: string
  id: string
  key: string
}

interface Outcome {
  status: number
  /** The words that the client reads. */
  said: string
  retryAfter?: string | undefined
}

export class ManySites {
  readonly #ground: Ground
  readonly #report: Report
  #sites: ManySite[] = []

  constructor(ground: Ground, report: Report) {
    this.#ground = ground
    this.#report = report
  }

  /** Makes the sites, each with a page. */
  async prepare(count: number): Promise<void> {
    const keys: string[] = []
    for (let n = 0; n < WORKSPACES; n++) keys.push(await makeWorkspace(this.#ground.dataDir, `workspace-${n}`))
    const slugs = Array.from({ length: count }, (_, n) => ({ slug: `many-${n}`, key: keys[n % WORKSPACES] ?? '' }))
    await sideBySide(slugs, PREPARED_AT_ONCE, async ({ slug, key }) => {
      const { body } = await this.#ground.apiWith(key).post('/sites').send({ slug }).expect(201)
      const site = { slug, key, id: (body as { data: { id: string } }).data.id }
      await write(this.#ground, site).then(({ status, said }) => {
        if (status !== 201) throw new Error(said)
      })
      this.#sites.push(site)
    })
  }

  /** Does all of it with each site, `atOnce` at a time. Reports answers that are neither right nor a refusal. */
  async use(name: string, atOnce: number): Promise<Record<string, Answers>> {
    const counts: Record<string, Answers> = {}
    const work = this.#sites.flatMap((site) => ACTIONS.map((action) => ({ site, action })))
    await sideBySide(shuffled(work), atOnce, async ({ site, action }) => {
      const count = (counts[action.name] ??= { right: 0, refused: 0, closed: 0 })
      try {
        const { status, said, retryAfter } = await action.act(this.#ground, site)
        if (status < 300) count.right++
        else if (status === 503 && retryAfter !== undefined) count.refused++
        else this.#report.violate(`${name}: ${action.name} of ${site.slug}: ${status} ${said.slice(0, 200)}`)
      } catch (error) {
        if (CLOSED.test(String(error))) count.closed++
        else this.#report.violate(`${name}: ${action.name} of ${site.slug}: ${String(error)}`)
      }
    })
    return counts
  }
}

interface Action {
  name: string
  act: (ground: Ground, site: ManySite) => Promise<Outcome>
}

const ACTIONS: readonly Action[] = [
  {
    name: 'read',
    async act(ground, { slug }) {
      const { status, bytes, retryAfter } = await visit(ground.server.origin, `http://${slug}.localhost/page`)
      return { status, said: bytes.toString(), retryAfter }
    },
  },
  { name: 'list', act: async (ground, site) => outcomeOf(await apiOf(ground, site).get('/pages')) },
  { name: 'search', act: async (ground, site) => outcomeOf(await apiOf(ground, site).get('/search?q=page')) },
  { name: 'write', act: write },
  { name: 'push', act: push },
  { name: 'deploy', act: deploy },
]

async function write(ground: Ground, site: ManySite): Promise<Outcome> {
  return outcomeOf(await apiOf(ground, site).put('/pages?path=/page').type('html').send(`a page ${randomUUID()}`))
}

async function push(ground: Ground, { slug, key }: ManySite): Promise<Outcome> {
  const file = ['pushed.html', randomUUID()] as const
  const answer = await pushFile({ ...ground.target, key, slug }, ground.gitdir(slug), file)
  if (answer.isLanded) return { status: 200, said: '' }
  // git's words for a refusal have no field for it.
  const isRefusal = answer.isLate || /[Tt]ry again/.test(answer.text)
  if (answer.status === 200) return { status: isRefusal ? 503 : 500, said: answer.text, retryAfter: '1' }
  return { ...answer, said: answer.text }
}

async function deploy(ground: Ground, site: ManySite): Promise<Outcome> {
  const api = apiOf(ground, site)
  const files = { 'deployed/a.html': randomUUID(), 'deployed/b.txt': randomUUID() }
  // No answer is too late here: with many at once it waits for its turn.
  const answer = await deployFolder(api, files, randomUUID(), (answered) => answered)
  // Deploys that were broken off are open: a client that meets too many deletes them.
  const { error } = answer.body as { error?: { code: string; details?: { open?: string[] } } }
  if (error?.code === 'too_many_deploys') {
    for (const id of error.details?.open ?? []) await api.delete(`/deploys/${id}`)
    return { status: 503, said: error.code, retryAfter: '1' }
  }
  return outcomeOf(answer)
}

function outcomeOf(answer: { status: number; body: unknown; headers?: Record<string, string> }): Outcome {
  return { status: answer.status, said: JSON.stringify(answer.body), retryAfter: answer.headers?.['retry-after'] }
}

/** The API of one site. */
function apiOf(ground: Ground, { key, id }: ManySite): ApiClient {
  const api = ground.apiWith(key)
  const on = (method: keyof ApiClient) => (path: string) => api[method](path).set('x-service-site-id', id)
  return {
    get: on('get'),
    post: on('post'),
    put: on('put'),
    patch: on('patch'),
    delete: on('delete'),
    head: on('head'),
    options: on('options'),
  }
}

/** Returns a key of a new workspace. */
async function makeWorkspace(dataDir: string, name: string): Promise<string> {
  const env = { DATA_DIR: dataDir }
  await mustRun(env, 'workspaces', 'create', name, '--site', name)
  return (await mustRun(env, 'keys', 'create', '--workspace', name, '--scopes', 'admin')).trim()
}

async function mustRun(env: Record<string, string>, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runPalimpsest(env, ...args)
  if (code !== 0) throw new Error(stderr)
  return stdout
}

async function sideBySide<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  let next = 0
  const workThrough = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, workThrough))
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
