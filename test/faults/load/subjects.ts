// The kinds of subjects that a mixed load writes: pages, batches, deploys, pushes, roll-backs, records, sites, keys.

import { randomUUID } from 'node:crypto'
import { put } from '../../scenarios/client.js'
import { type Ground, inTime, type Sent } from '../ground/ground.js'
import { deployFolder } from './deploy-folder.js'
import { pushFile } from '../pushes/push-file.js'
import { ReadRefused, type Subject, toSubject, type Value } from './subject.js'

export interface LoadSite {
  slug: string
  id: string
}

/** Throws if a read is refused for now, which tells nothing about the written state. */
function refuseWhere(status: number): void {
  if (status === 503) throw new ReadRefused()
}

/** One time in five a deletion, if the subject exists. */
const freshOrDeleted: Subject['next'] = ({ value, isCertain }, fresh) =>
  value !== undefined && isCertain && Math.random() < 0.2 ? undefined : fresh

/** Published and replaced by PUT, unpublished by DELETE. */
export function page(ground: Ground, { slug, id: siteId }: LoadSite, path: string): Subject {
  return toSubject({
    name: `${slug}${path}`,
    next: freshOrDeleted,
    write: async (value) => {
      if (value !== undefined) {
        return inTime(ground.api.put(`/pages?path=${path}`).set('x-service-site-id', siteId).type('html').send(value))
      }
      const { body } = await ground.api.get(`/pages?path=${path}`).set('x-service-site-id', siteId).expect(200)
      const [found] = (body as { data: { id: string }[] }).data
      return inTime(ground.api.delete(`/pages/${found?.id}`).set('x-service-site-id', siteId))
    },
    read: () => ground.visit(path, slug),
  })
}

/** Two pages that only batches write; they must always be the same. */
export function twins(ground: Ground, { slug, id: siteId }: LoadSite, path: string): Subject {
  return toSubject({
    name: `batch of ${slug}${path}`,
    next: (_, fresh) => fresh,
    write: (value) => {
      const operations = ['/a', '/b'].map((end) => ({ op: 'putPage', path: path + end, html: value ?? 'empty' }))
      return inTime(ground.api.post('/batch').set('x-service-site-id', siteId).send({ operations }))
    },
    read: async () => {
      const [a, b] = [await ground.visit(`${path}/a`, slug), await ground.visit(`${path}/b`, slug)]
      return a === b ? a : `half a batch: ${a}, ${b}`
    },
  })
}

/** Bytes of a file that does not go through the writer: its bytes become a pack of their own. */
const LARGE_BYTES = 1_100_000
/** Others move main meanwhile, so that a push may be late this often. */
const MAX_PUSHES = 12
const DEPLOYED = ['a.html', 'deep/b.html', 'c.txt']

/** A folder of pages and files, one of them large, that only deploys write; all must always be of one deploy. */
export function deployed(ground: Ground, { slug, id: siteId }: LoadSite): Subject {
  // A client goes on with a deploy that was broken off: a workspace may have few open ones.
  let open: { value: string; key: string } | undefined
  return toSubject({
    name: `deploy of ${slug}`,
    way: 'deploy',
    next: (_, fresh) => open?.value ?? fresh,
    write: async (value = '') => {
      open ??= { value, key: randomUUID() }
      const files = Object.fromEntries(DEPLOYED.map((file) => [`deployed/${file}`, value]))
      files['deployed/large.txt'] = value.repeat(Math.ceil(LARGE_BYTES / value.length))
      const api = { ...ground.api, post: (path: string) => ground.api.post(path).set('x-service-site-id', siteId) }
      const sent = await deployFolder(api, files, open.key)
      if (sent.status === 200) open = undefined
      // A deploy may be live although its description is refused: that is asked for again.
      return sent.status === 503 ? { ...sent, body: { error: { code: 'outcome_unknown' } } } : sent
    },
    read: async () => {
      const seen: Value[] = []
      for (const file of DEPLOYED) seen.push(await ground.visit(`/deployed/${file.replace('.html', '')}`, slug))
      const [first] = seen
      const large = await ground.visit('/deployed/large.txt', slug)
      const isWhole =
        seen.every((each) => each === first) && large === first?.repeat(Math.ceil(LARGE_BYTES / first.length))
      return isWhole ? first : `half a deploy: ${seen.join(', ')}, ${large?.slice(0, 40)}`
    },
  })
}

/** A page that is pushed over HTTP, again until it lands. */
export function pushedOverHttp(ground: Ground, { slug }: LoadSite): Subject {
  return toSubject({
    name: `push over HTTP of ${slug}`,
    way: 'push over HTTP',
    next: (_, fresh) => fresh,
    write: async (value = '') => {
      for (let tries = 1; ; tries++) {
        const file = ['over-http.html', value] as const
        const pushed = await inTime(pushFile({ ...ground.target, slug }, ground.gitdir(slug), file))
        if (pushed.isLanded) return { status: 200, body: {} }
        if (!pushed.isLate || tries === MAX_PUSHES) return { status: 503, body: { error: { code: 'outcome_unknown' } } }
      }
    },
    read: () => ground.visit('/over-http', slug),
  })
}

/** A page with two versions, which is rolled back to the one or the other. */
export async function rolledBack(ground: Ground, { slug, id: siteId }: LoadSite, path: string): Promise<Subject> {
  const values = ['first', 'second']
  const [, { id }] = [
    await put(ground.api, path, 'first', siteId),
    await put(ground.api, path, 'second', siteId),
  ] as const
  const subject = toSubject({
    name: `roll-back of ${slug}${path}`,
    next: ({ value }) => values.find((other) => other !== value),
    write: (value) => {
      const version = values.indexOf(value ?? '') + 1
      return inTime(ground.api.post(`/pages/${id}/rollback`).set('x-service-site-id', siteId).send({ version }))
    },
    read: () => ground.visit(path, slug),
  })
  return { ...subject, acknowledged: 'second' }
}

/** After a deletion the record is made again under another id. */
export function record(ground: Ground, collection: string): Subject {
  const records = `/collections/${collection}/records`
  let id = ''
  return toSubject({
    name: `a record of ${records}`,
    next: freshOrDeleted,
    write: async (said) => {
      const { api } = ground
      const existing = `${records}/${id}`
      const send = id === '' ? api.post(records) : said === undefined ? api.delete(existing) : api.put(existing)
      const sent: Sent = await inTime(said === undefined ? send : send.send({ data: { said } }))
      if (sent.status === 201) id = (sent.body.data as { id: string }).id
      if (sent.status === 404 || (sent.status < 300 && said === undefined)) id = ''
      return sent
    },
    read: async () => {
      if (id === '') return undefined
      const { status, body } = await inTime(ground.api.get(`${records}/${id}`))
      refuseWhere(status)
      return (body as { data?: { data: { said: string } } }).data?.data.said
    },
  })
}

/** A record that is posted with an idempotency key, and again with the same key: it must exist once. */
export function postedRecord(ground: Ground, collection: string, name: string): Subject {
  const records = `/collections/${collection}/records`
  const idempotencyKey = randomUUID()
  const send = () =>
    inTime(
      ground.api
        .post(records)
        .set('Idempotency-Key', idempotencyKey)
        .send({ data: { said: name } }),
    )
  return toSubject({
    name: `the record ${name}`,
    next: () => 'made',
    write: send,
    repeat: send,
    read: async () => {
      const { status, body } = await inTime(ground.api.get(`${records}?filter[said]=${name}`))
      refuseWhere(status)
      const { length } = (body as { data: unknown[] }).data
      return length === 0 ? undefined : length === 1 ? 'made' : `made ${length} times`
    },
  })
}

/** A site, made once and deleted while others write to it. */
export function site(ground: Ground, slug: string, onHang: (what: string) => void): Subject {
  const find = async () => {
    const { body } = await inTime(ground.api.get('/sites?limit=1000').expect(200))
    return (body as { data: LoadSite[] }).data.find((each) => each.slug === slug)
  }
  return toSubject({
    name: `site ${slug}`,
    next: ({ value, isCertain }) => (value !== undefined && isCertain ? undefined : 'made'),
    write: async (value) => {
      if (value !== undefined) return inTime(ground.api.post('/sites').send({ slug }))
      const id = (await find())?.id ?? ''
      const writes = ['/a', '/b', '/c'].map((path) =>
        inTime(ground.api.put(`/pages?path=${path}`).set('x-service-site-id', id).type('html').send(slug)),
      )
      // Settled before the deletion is: a connection that breaks may end all of them at once.
      const settled = Promise.allSettled(writes)
      const deleted = await inTime(ground.api.delete(`/sites/${id}`))
      for (const write of await settled) {
        if (write.status === 'rejected' && /no answer/.test(String(write.reason))) onHang(`a write to ${slug}`)
      }
      return deleted
    },
    read: async () => ((await find()) === undefined ? undefined : 'made'),
  })
}

export function key(ground: Ground, label: string): Subject {
  let secret = ''
  return toSubject({
    name: label,
    next: () => 'made',
    write: async () => {
      const sent: Sent = await inTime(ground.api.post('/keys').send({ label }))
      secret = (sent.body.data as { key?: string } | undefined)?.key ?? ''
      return sent
    },
    read: async () => {
      const { status, body } = await inTime(ground.apiWith(secret).get('/me'))
      if (status !== 200 && status !== 401) throw new Error(`GET /me: ${status} ${JSON.stringify(body)}`)
      return status === 200 ? 'made' : undefined
    },
  })
}
