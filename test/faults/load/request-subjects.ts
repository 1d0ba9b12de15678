// Change requests as subjects of a mixed load: pages that wait in a request, and pages that requests publish.

import { type Ground, inTime, type Sent } from '../ground/ground.js'
import { ReadRefused, type Subject, toSubject, type Value } from './subject.js'
import type { LoadSite } from './subjects.js'

const UNKNOWN: Sent = { status: 503, body: { error: { code: 'outcome_unknown' } } }

/** A page in a request that stays open. Visitors must never see it. */
export function draft(ground: Ground, { slug, id: siteId }: LoadSite, path: string): Subject {
  let request: string | undefined
  return toSubject({
    name: `the draft of ${slug}${path}`,
    way: 'draft',
    next: (_, fresh) => fresh,
    write: async (value) => {
      if (request === undefined) {
        const begun = await begin(ground, siteId, path)
        if (begun.id === undefined) return begun.sent
        request = begun.id
      }
      return inTime(ground.api.put(`/pages?path=${path}&changeRequest=${request}`).type('html').send(value))
    },
    read: async () => {
      if ((await ground.visit(path, slug)) !== undefined) return 'a draft that visitors see'
      if (request === undefined) return undefined
      const { id } = (await get<{ id: string }[]>(ground, `/pages?path=${path}&changeRequest=${request}`))[0] ?? {}
      if (id === undefined) return undefined
      return (await get<{ html: string }>(ground, `/pages/${id}?changeRequest=${request}`)).html
    },
  })
}

/** Two pages that only requests change, each time both in a new one; they must always be the same. */
export function publishedTwins(ground: Ground, { slug, id: siteId }: LoadSite, path: string): Subject {
  // A client goes on with a request that was broken off, as its pages may be live already.
  let open: { value: Value; request?: string; isWhole?: boolean } | undefined
  return toSubject({
    name: `requests for ${slug}${path}`,
    way: 'change request',
    next: (_, fresh) => open?.value ?? fresh,
    write: async (value) => {
      open ??= { value }
      if (open.request === undefined) {
        const begun = await begin(ground, siteId, path)
        if (begun.id === undefined) return begun.sent
        open.request = begun.id
      }
      const { request } = open
      if (open.isWhole !== true) {
        const operations = ['/a', '/b'].map((end) => ({ op: 'putPage', path: path + end, html: value }))
        const written = await inTime(ground.api.post(`/batch?changeRequest=${request}`).send({ operations }))
        if (written.status >= 300) return written
        open.isWhole = true
      }
      const sent: Sent = await inTime(ground.api.post(`/change-requests/${request}/publish`).send({}))
      if (sent.status < 300) open = undefined
      // Others write all the time: the client asks again later.
      const mayBeRetried = sent.status === 409 && (sent.body.error as { details?: { retry?: true } })?.details?.retry
      return mayBeRetried === true ? UNKNOWN : sent
    },
    read: async () => {
      const [a, b] = [await ground.visit(`${path}/a`, slug), await ground.visit(`${path}/b`, slug)]
      return a === b ? a : `half a request: ${a}, ${b}`
    },
  })
}

async function begin(ground: Ground, siteId: string, title: string): Promise<{ id?: string; sent: Sent }> {
  const sent: Sent = await inTime(ground.api.post(`/sites/${siteId}/change-requests`).send({ title }))
  if (sent.status !== 201) return { sent }
  return { id: (sent.body.data as { id: string }).id, sent }
}

async function get<T>(ground: Ground, path: string): Promise<T> {
  const { status, body } = await inTime(ground.api.get(path))
  if (status === 503) throw new ReadRefused()
  if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`)
  return (body as { data: T }).data
}
