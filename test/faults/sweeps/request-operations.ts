// The life of a change request as operations that a sweep harms: begun, written to, brought up to date, published, closed, reopened, and
// deleted with its site.

import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { put } from '../../scenarios/client.js'
import { git } from '../../support/git.js'
import { type Ground, inTime, type Sent } from '../ground/ground.js'
import { between, type Operation, type State } from './operations.js'

/** Above this size, a blob is a pack of its own before its write queues. */
const LARGE_BYTES = 1_100_000
/** Title of requests that are begun before a case; the next case closes them, as an author may have few open ones. */
const PREPARED = 'prepared'

const OPERATIONS: readonly Operation[] = [
  {
    name: 'request begin',
    async prepare(ground, id) {
      await closeOpen(ground)
      const requests = await requestsOf(ground)
      return {
        send: () => inTime(ground.api.post(requests).send({ title: id })),
        async observe() {
          const request = (await listRequests(ground, 'all')).find(({ title }) => title === id)
          if (request === undefined) return 'before'
          return request.state === 'closed' ? 'after' : await tryWrites(ground, request.id, id)
        },
      }
    },
  },
  {
    // The first one of a site makes the repository of drafts.
    name: 'first request',
    async prepare(ground, id) {
      const { body } = await ground.api.post('/sites').send({ slug: id }).expect(201)
      const requests = `/sites/${(body as { data: { id: string } }).data.id}/change-requests`
      return {
        send: () => inTime(ground.api.post(requests).send({ title: id })),
        async observe() {
          const listed = await inTime(ground.api.get(requests).expect(200))
          const [request] = (listed.body as { data: Request[] }).data
          return request === undefined ? 'before' : await stateAsFirst(ground, request.id, id)
        },
      }
    },
  },
  {
    name: 'request write',
    async prepare(ground, id) {
      const request = await sharedRequest(ground)
      return {
        send: () => write(ground, request, id, 'new'),
        observe: () => stateIn(ground, request, id),
      }
    },
  },
  {
    // A kill may leave the request without the page: whoever was not answered does not know its id.
    name: 'request by write',
    async prepare(ground, id) {
      await closeOpen(ground)
      let found: string | undefined
      return {
        async send() {
          const sent = await write(ground, 'new', id, 'new')
          found = (sent.body as { changeRequest?: string }).changeRequest
          return sent
        },
        async observe() {
          // Another case closes it.
          for (const request of found === undefined ? await openIn(ground) : [found]) {
            const state = await stateIn(ground, request, id)
            if (state === 'after') found = request
            if (state !== 'before') return state
          }
          return 'before'
        },
      }
    },
  },
  {
    name: 'request update',
    async prepare(ground, id) {
      const request = await begin(ground, { [id]: 'new' })
      const live = `${id}/live`
      await put(ground.api, `/${live}`, 'live')
      await warmTasks(ground, request)
      return {
        send: () => inTime(ground.api.post(`/change-requests/${request}/update`).send({})),
        async observe() {
          if ((await stateIn(ground, request, id)) !== 'after') return 'neither'
          const state = await stateIn(ground, request, live, { isLive: true, html: 'live' })
          const merges = git(draftsOf(ground), 'rev-list', '--merges', '--first-parent', '--count', request)
          return merges === (state === 'after' ? '1' : '0') ? state : 'neither'
        },
      }
    },
  },
  {
    name: 'request publish',
    async prepare(ground, id) {
      const large = id.repeat(Math.ceil(LARGE_BYTES / id.length))
      const request = await begin(ground, { [id]: 'new', [`${id}/added`]: 'new', [`${id}/large`]: large })
      // Main has moved on, so that there is something to merge.
      await put(ground.api, `/${id}/live`, 'live')
      await warmTasks(ground, request)
      return {
        goesOn: true,
        besides: () => publishAnother(ground),
        send: () => publish(ground, request),
        async observe() {
          const pages = [
            await between(ground, id, undefined, 'new'),
            await between(ground, `${id}/added`, undefined, 'new'),
            await between(ground, `${id}/large`, undefined, large),
          ]
          const [state = 'neither'] = pages
          if (pages.some((page) => page !== state)) return 'neither'
          const commits = git(ground.gitdir(), 'log', '--format=%H', `--grep=^Change-Request: ${request}$`, 'main')
          const read = await find(ground, request)
          if (commits !== (read.published ?? '')) return 'neither'
          if (state !== 'after') return commits === '' ? state : 'neither'
          return read.state === 'published' && (await isClosed(ground, request, id)) ? 'after' : 'neither'
        },
      }
    },
  },
  {
    name: 'request close',
    async prepare(ground, id) {
      const request = await begin(ground, { [id]: 'new' })
      return {
        send: () => inTime(ground.api.patch(`/change-requests/${request}`).send({ state: 'closed' })),
        async observe() {
          if ((await stateIn(ground, request, id)) !== 'after') return 'neither'
          return (await isClosed(ground, request, `${id}/late`)) ? 'after' : 'before'
        },
      }
    },
  },
  {
    name: 'request reopen',
    async prepare(ground, id) {
      const request = await begin(ground, { [id]: 'new' })
      await close(ground, request)
      let isAfter = false
      return {
        async send() {
          const sent = await inTime(ground.api.patch(`/change-requests/${request}`).send({ state: 'draft' }))
          isAfter = (sent.body.data as Request | undefined)?.state === 'draft'
          return sent
        },
        async observe() {
          if ((await stateIn(ground, request, id)) !== 'after') return 'neither'
          // Another case closes it.
          isAfter ||= !(await isClosed(ground, request, `${id}/late`))
          return isAfter ? 'after' : 'before'
        },
      }
    },
  },
  {
    name: 'request deletion',
    async prepare(ground, id) {
      const { body } = await ground.api.post('/sites').send({ slug: id }).expect(201)
      const siteId = (body as { data: { id: string } }).data.id
      const made = await ground.api.post(`/sites/${siteId}/change-requests`).send({ title: PREPARED }).expect(201)
      const request = (made.body as { data: Request }).data.id
      await write(ground, request, id, 'new')
      return {
        send: () => inTime(ground.api.delete(`/sites/${siteId}`)),
        // The catalog's row deletes the site; a repository that cannot be moved aside is moved by the next start.
        passesOver: /\/\.retired[/>]|^fsync\(\d+<[^>]*\/data(?:\/drafts)?>\)/,
        async observe() {
          const { status } = await inTime(ground.api.get(`/change-requests/${request}`))
          if (status === 200)
            return (await stateIn(ground, request, id, { slug: id })) === 'after' ? 'before' : 'neither'
          return status === 404 ? 'after' : 'neither'
        },
      }
    },
  },
]

export const REQUEST_OPERATIONS: readonly Operation[] = OPERATIONS.map((operation) => ({
  name: operation.name,
  prepare: async (ground, id) => ({ besides: () => writeToAnother(ground), ...(await operation.prepare(ground, id)) }),
}))

interface Request {
  id: string
  title: string
  state: string
  published: string | null
  head: string | null
}

/** Returns the path of the change requests of the first site. */
async function requestsOf(ground: Ground): Promise<string> {
  const { body } = await inTime(ground.api.get('/sites?slug=demo').expect(200))
  return `/sites/${(body as { data: { id: string }[] }).data[0]?.id}/change-requests`
}

export async function listRequests(ground: Ground, state: 'open' | 'all'): Promise<Request[]> {
  const { body } = await inTime(ground.api.get(`${await requestsOf(ground)}?state=${state}&limit=1000`).expect(200))
  return (body as { data: Request[] }).data
}

async function openIn(ground: Ground): Promise<string[]> {
  return (await listRequests(ground, 'open')).map(({ id }) => id)
}

async function find(ground: Ground, request: string): Promise<Request> {
  const { body } = await inTime(ground.api.get(`/change-requests/${request}`).expect(200))
  return (body as { data: Request }).data
}

/** Begins a request with these pages, after it has closed those of earlier cases. */
async function begin(ground: Ground, pages: Readonly<Record<string, string>>): Promise<string> {
  await closeOpen(ground)
  const made = await ground.api
    .post(await requestsOf(ground))
    .send({ title: PREPARED })
    .expect(201)
  const { id } = (made.body as { data: Request }).data
  for (const [path, html] of Object.entries(pages)) {
    const { status, body } = await write(ground, id, path, html)
    if (status >= 300) throw new Error(JSON.stringify(body))
  }
  return id
}

/** Returns the one request that all writes to one go to. */
async function sharedRequest(ground: Ground): Promise<string> {
  const [open] = await openIn(ground)
  return open ?? (await begin(ground, {}))
}

/** Begins a request after a fault, and writes to it: what the fault left in its repository is removed then. */
async function writeToAnother(ground: Ground): Promise<void> {
  await begin(ground, { another: 'another' })
}

/** Publishes another request: copies for main that a fault left are removed with those of the next. */
async function publishAnother(ground: Ground): Promise<void> {
  const { status, body } = await publish(ground, await begin(ground, { another: randomUUID() }))
  if (status !== 200) throw new Error(JSON.stringify(body))
}

function publish(ground: Ground, request: string): Promise<Sent> {
  return inTime(ground.api.post(`/change-requests/${request}/publish`).send({}))
}

export async function closeOpen(ground: Ground): Promise<void> {
  for (const id of await openIn(ground)) await close(ground, id)
}

async function close(ground: Ground, request: string): Promise<void> {
  await inTime(ground.api.patch(`/change-requests/${request}`).send({ state: 'closed' }).expect(200))
}

/** The process of long tasks runs already when calls are counted: those of a start are Node's own. */
async function warmTasks(ground: Ground, request: string): Promise<void> {
  await inTime(ground.api.get(`/change-requests/${request}/conflicts`).expect(200))
}

function write(ground: Ground, request: string, path: string, html: string): Promise<Sent> {
  return inTime(ground.api.put(`/pages?path=/${path}&changeRequest=${request}`).type('html').send(html))
}

/** A request that is there takes a write, which it shows: as often as it is asked. */
async function stateAsFirst(ground: Ground, request: string, slug: string): Promise<State> {
  const { status } = await write(ground, request, 'tried', 'new')
  return status < 300 ? await stateIn(ground, request, 'tried', { slug }) : 'neither'
}

async function tryWrites(ground: Ground, request: string, path: string): Promise<State> {
  const { status } = await write(ground, request, path, path)
  await close(ground, request)
  return status === 201 && (await ground.visit(`/${path}`)) === undefined ? 'after' : 'neither'
}

/** Whether the request refuses a write, as one does that is closed or published. */
async function isClosed(ground: Ground, request: string, path: string): Promise<boolean> {
  const { status, body } = await write(ground, request, path, 'late')
  if (status < 300) return false
  if (body.error?.code !== 'change_request_closed') throw new Error(`${status} ${JSON.stringify(body)}`)
  return true
}

interface PageIn {
  html?: string
  /** Whether visitors see the page too. */
  isLive?: boolean
  slug?: string
}

/** The state of a new page in a request, which visitors must not see. */
export async function stateIn(
  ground: Ground,
  request: string,
  path: string,
  { html = 'new', isLive = false, slug = 'demo' }: PageIn = {},
): Promise<State> {
  if (((await ground.visit(`/${path}`, slug)) !== undefined) !== isLive) return 'neither'
  const at = `changeRequest=${request}`
  const { body } = await inTime(ground.api.get(`/pages?path=/${path}&${at}`).expect(200))
  const [page] = (body as { data: { id: string }[] }).data
  if (page === undefined) return 'before'
  const read = await inTime(ground.api.get(`/pages/${page.id}?${at}`).expect(200))
  return (read.body as { data: { html: string } }).data.html === html ? 'after' : 'neither'
}

function draftsOf(ground: Ground): string {
  const drafts = join(ground.dataDir, 'drafts', 'demo.git')
  if (!existsSync(drafts)) throw new Error('there are no drafts')
  return drafts
}
