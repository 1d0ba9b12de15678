// The operations that a sweep harms, each with a check whether it happened.

import { put } from '../../scenarios/client.js'
import { MAIN } from '../../scenarios/serve-process.js'
import { type Ground, inTime, type Sent } from '../ground/ground.js'
import { deployFolder } from '../load/deploy-folder.js'

/** `neither` stands for half an operation, which must never exist. */
export type State = 'before' | 'after' | 'neither'

export interface Trial {
  send(): Promise<Sent>
  /** Failed calls, besides those of files that can be made again, after which the operation may be answered as done. */
  passesOver?: RegExp
  observe(): Promise<State>
  /** Writes once more to a repository besides the site's that the operation writes to. */
  besides?: () => Promise<void>
  /** Set if a request that a kill broke off is sent again after the restart, and must then be done. */
  goesOn?: true
}

export interface Operation {
  name: string
  /** Makes what the operation needs. `id` becomes part of names and is never used twice. */
  prepare(ground: Ground, id: string): Promise<Trial>
}

/** Above this size, a blob is a pack of its own before its write queues. */
const LARGE_BYTES = 1_100_000

/** Making a key by the command line, which is a process of its own. */
export const KEY_CREATE = 'key create'

export const OPERATIONS: readonly Operation[] = [
  {
    name: 'create',
    async prepare(ground, id) {
      return { send: () => publish(ground, id, 'new'), observe: () => between(ground, id, undefined, 'new') }
    },
  },
  {
    name: 'replace',
    async prepare(ground, id) {
      await put(ground.api, `/${id}`, 'old')
      return { send: () => publish(ground, id, 'new'), observe: () => between(ground, id, 'old', 'new') }
    },
  },
  {
    name: 'delete',
    async prepare(ground, id) {
      const page = await put(ground.api, `/${id}`, 'old')
      return {
        send: () => inTime(ground.api.delete(`/pages/${page.id}`)),
        observe: () => between(ground, id, 'old', undefined),
      }
    },
  },
  {
    name: 'rollback',
    async prepare(ground, id) {
      const page = await put(ground.api, `/${id}`, 'first')
      await put(ground.api, `/${id}`, 'second')
      return {
        send: () => inTime(ground.api.post(`/pages/${page.id}/rollback`).send({ version: 1 })),
        observe: () => between(ground, id, 'second', 'first'),
      }
    },
  },
  {
    name: 'record create',
    async prepare(ground, id) {
      const { body } = await ground.api.post('/collections').send({ name: id }).expect(201)
      const records = `/collections/${(body as { data: { id: string } }).data.id}/records`
      return {
        send: () => inTime(ground.api.post(records).send({ data: { said: id } })),
        async observe() {
          const answer = await inTime(ground.api.get(records).expect(200))
          const { data } = answer.body as { data: { data: { said: string } }[] }
          if (data.length === 0) return 'before'
          return data.every((record) => record.data.said === id) ? 'after' : 'neither'
        },
      }
    },
  },
  {
    name: 'batch',
    async prepare(ground, id) {
      await put(ground.api, `/${id}`, 'old')
      const { body } = await ground.api.post('/collections').send({ name: id }).expect(201)
      const collectionId = (body as { data: { id: string } }).data.id
      const records = `/collections/${collectionId}/records`
      const made = await ground.api
        .post(records)
        .send({ data: { said: 'old' } })
        .expect(201)
      const recordId = (made.body as { data: { id: string } }).data.id
      const operations = [
        { op: 'putPage', path: `/${id}`, html: 'new' },
        { op: 'putPage', path: `/${id}/added`, html: 'new' },
        { op: 'putRecord', collectionId, recordId, data: { said: 'new' } },
      ]
      return {
        send: () => inTime(ground.api.post('/batch').send({ operations })),
        async observe() {
          const replaced = await between(ground, id, 'old', 'new')
          const added = await between(ground, `${id}/added`, undefined, 'new')
          const { body: read } = await inTime(ground.api.get(`${records}/${recordId}`).expect(200))
          const { data: record } = read as { data: { data: { said: string }; etag: string } }
          if ([added, record.data.said === 'new' ? 'after' : 'before'].some((state) => state !== replaced))
            return 'neither'
          if (replaced === 'before') return 'before'
          const tags = [record.etag, await tagOf(ground, id), await tagOf(ground, `${id}/added`)]
          return new Set(tags).size === 1 ? 'after' : 'neither'
        },
      }
    },
  },
  {
    name: 'deploy',
    async prepare(ground, id) {
      // Its task process runs already when calls are counted: those of a start are Node's own.
      const warm = await deployFolder(ground.api, { [`${id}/warm.txt`]: id }, `warm-${id}`)
      if (warm.status !== 200) throw new Error(JSON.stringify(warm.body))
      const files = {
        [`${id}/page.html`]: `<p>${id}`,
        [`${id}/small.txt`]: id,
        [`${id}/large.bin`]: id.repeat(Math.ceil(LARGE_BYTES / id.length)),
      }
      return {
        goesOn: true,
        send: () => deployFolder(ground.api, files, id),
        async observe() {
          const paths = [`/${id}/page`, `/${id}/small.txt`, `/${id}/large.bin`]
          const seen = await Promise.all(paths.map((path) => ground.visit(path)))
          if (seen.every((text) => text === undefined)) return 'before'
          return seen.every((text, at) => text === Object.values(files)[at]) ? 'after' : 'neither'
        },
      }
    },
  },
  {
    name: 'site create',
    async prepare(ground, id) {
      return {
        send: () => inTime(ground.api.post('/sites').send({ slug: id })),
        async observe() {
          const answer = await inTime(ground.api.get('/sites?limit=1000').expect(200))
          const site = (answer.body as { data: { id: string; slug: string }[] }).data.find(({ slug }) => slug === id)
          if (site === undefined) return 'before'
          await put(ground.api, '/', id, site.id)
          return (await ground.visit('/', id)) === id ? 'after' : 'neither'
        },
      }
    },
  },
  {
    name: 'site delete',
    async prepare(ground, id) {
      const { body } = await ground.api.post('/sites').send({ slug: id }).expect(201)
      const siteId = (body as { data: { id: string } }).data.id
      await put(ground.api, '/', id, siteId)
      return {
        send: () => inTime(ground.api.delete(`/sites/${siteId}`)),
        // The catalog's row deletes the site; a repository that cannot be moved aside is moved by the next start.
        passesOver: /\/\.retired\/|^fsync\(\d+<[^>]*\/data>\)/,
        async observe() {
          const answer = await inTime(ground.api.get('/sites?limit=1000').expect(200))
          const isListed = (answer.body as { data: { slug: string }[] }).data.some(({ slug }) => slug === id)
          const seen = await ground.visit('/', id)
          if (isListed) return seen === id ? 'before' : 'neither'
          return seen === undefined ? 'after' : 'neither'
        },
      }
    },
  },
]

/** `palimpsest keys create`, and the key's state as the service sees it. */
export function keyCreation(ground: Ground, id: string): { command: string[]; observe(): Promise<State> } {
  return {
    command: [process.execPath, MAIN, 'keys', 'create', '--label', id],
    async observe() {
      const answer = await inTime(ground.api.get('/keys').expect(200))
      return (answer.body as { data: { label: string }[] }).data.some(({ label }) => label === id) ? 'after' : 'before'
    },
  }
}

function publish(ground: Ground, id: string, html: string): Promise<Sent> {
  return inTime(ground.api.put(`/pages?path=/${id}`).type('html').send(html))
}

/** The state of a page; visitors and API clients must agree on it. */
export async function between(ground: Ground, id: string, before?: string, after?: string): Promise<State> {
  const seen = await ground.visit(`/${id}`)
  const { body } = await inTime(ground.api.get(`/pages?path=/${id}`).expect(200))
  const [page] = (body as { data: { id: string }[] }).data
  const read = page && (await inTime(ground.api.get(`/pages/${page.id}`).expect(200)))
  const html = (read?.body as { data: { html: string } } | undefined)?.data.html
  if (seen !== html) return 'neither'
  return seen === after ? 'after' : seen === before ? 'before' : 'neither'
}

/** The commit of a page's last change. */
export async function tagOf(ground: Ground, id: string): Promise<string | undefined> {
  const { body } = await inTime(ground.api.get(`/pages?path=/${id}`).expect(200))
  return (body as { data: { etag: string }[] }).data[0]?.etag
}
