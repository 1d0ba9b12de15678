// Attacks by requests, with the tenant's own key, that cost much more than they seem to.

import { randomUUID } from 'node:crypto'
import { type Act, type Attack, statusOf, together } from '../attack.js'
import type { Tenant } from '../tenant.js'

const MIB = 1024 * 1024

export const REQUESTS: readonly Attack[] = [
  {
    name: 'edits',
    about: 'a batch of 50 times 100 edits of a page of 10 MiB (250 KB)',
    atOnce: 1,
    async prepare(tenant) {
      const line = (number: number) => `<p>paragraph-${number}-${'lorem ipsum '.repeat(8)}</p>\n`
      const html = Array.from({ length: 80_000 }, (_, number) => line(number)).join('')
      const { id, etag } = await tenant.putPage('/edited', html)
      const edits = Array.from({ length: 100 }, (_, number) => ({
        find: `paragraph-${79_000 + number}-`,
        replace: 'x',
      }))
      const operation = { op: 'editContent', id, ifMatch: etag, edits }
      return sender(tenant, '/batch', JSON.stringify({ operations: Array.from({ length: 50 }, () => operation) }))
    },
  },
  {
    name: 'filter',
    about: 'a filter that looks for 50,000 characters, or 1,000, in records of 1 MB',
    atOnce: 4,
    async prepare(tenant) {
      const id = await collectionOf(tenant, 5, 1_000_000)
      const ask = (length: number) =>
        tenant.api(`/collections/${id}/records?filter[t][contains]=${'a'.repeat(length)}b`, {})
      return async () => `${await statusOf(ask(50_000))} ${await statusOf(ask(999))}`
    },
  },
  {
    name: 'conditions',
    about: '20 filters and 4 sorts over 20 records of 0.7 MB',
    atOnce: 4,
    async prepare(tenant) {
      const id = await collectionOf(tenant, 20, 700_000)
      const filters = Array.from({ length: 20 }, (_, number) => `filter[f${number}][contains]=${'a'.repeat(500)}b`)
      const query = `${filters.join('&')}&sort=t,-u,v,-w`
      return () => statusOf(tenant.api(`/collections/${id}/records?${query}`))
    },
  },
  {
    name: 'scopes',
    about: 'a key with 60,000 scopes, by an administrator of the tenant',
    atOnce: 1,
    prepare(tenant) {
      const body = JSON.stringify({ label: 'x', scopes: Array.from({ length: 60_000 }, (_, number) => number) })
      const headers = { authorization: `Bearer ${tenant.data.adminKey}` }
      return Promise.resolve(() => statusOf(tenant.api('/keys', { body, headers })))
    },
  },
  {
    name: 'links',
    about: 'dry runs of a page of 1 MB with 90,000 links',
    atOnce: 2,
    prepare: (tenant) => dryRun(tenant, Array.from({ length: 90_000 }, (_, number) => `<a href=/${number}>`).join('')),
  },
  {
    name: 'nesting',
    about: 'dry runs of a page of 1 MB with 200,000 nested elements',
    atOnce: 2,
    prepare: (tenant) => dryRun(tenant, '<div>'.repeat(200_000)),
  },
  {
    name: 'diffs',
    about: 'the difference of two versions of 1.9 MB, 8 at once',
    atOnce: 1,
    async prepare(tenant) {
      const text = (seed: number) =>
        Array.from({ length: 120_000 }, (_, line) => `${(line * seed) % 7919} line`).join('\n')
      await tenant.putPage('/compared', text(3))
      const { id } = await tenant.putPage('/compared', text(5))
      return () => together(8, () => statusOf(tenant.api(`/pages/${id}/diff`)))
    },
  },
  {
    name: 'json',
    about: 'bodies of 30 MB that JSON escapes fill',
    atOnce: 2,
    prepare: (tenant) =>
      Promise.resolve(
        sender(tenant, '/pages', JSON.stringify({ path: '/escaped', html: '\u0001'.repeat(5 * MIB - 1000) })),
      ),
  },
  {
    name: 'values',
    about: 'a record of 190,000 values',
    atOnce: 2,
    async prepare(tenant) {
      const id = await collectionOf(tenant, 0, 0)
      const data = { list: Array.from({ length: 190_000 }, (_, number) => number % 10) }
      return sender(tenant, `/collections/${id}/records`, JSON.stringify({ data }))
    },
  },
  {
    name: 'folders',
    about: 'a batch of 500 pages below 330 folders each (350 KB)',
    atOnce: 1,
    prepare(tenant) {
      const path = (number: number) => `/${number}${'/a'.repeat(330)}`
      const operations = Array.from({ length: 500 }, (_, number) => ({
        op: 'putPage',
        path: path(number),
        html: String(Math.random()),
      }))
      return Promise.resolve(sender(tenant, '/batch', JSON.stringify({ operations })))
    },
  },
  {
    name: 'unknown ids',
    about: 'pages by ids that no site has, in a workspace of 100 sites',
    atOnce: 8,
    async prepare(tenant) {
      for (let made = 0; made < 100; made++) await tenant.makeSite()
      return () => statusOf(tenant.api('/pages/11111111-1111-4111-8111-111111111111'))
    },
  },
  {
    name: 'previews',
    about: 'dry runs of pages of 9.9 MB, one after the other',
    atOnce: 2,
    prepare: (tenant) => dryRun(tenant, 'x'.repeat(9_900_000)),
  },
  {
    name: 'large pages',
    about: 'pages of 9 MB, published by 4 clients, beside lists and batches of 2 more',
    atOnce: 6,
    async prepare(tenant) {
      const { id } = await tenant.makeSite()
      const headers = { 'x-service-site-id': id }
      const html = 'x'.repeat(9_000_000)
      const publish = (page: number) =>
        tenant.api(`/pages?path=/large-${page}`, { method: 'PUT', body: `<title>${page}</title>${html}`, headers })
      const list = () => tenant.api('/pages?limit=100', { headers })
      const operations = [1, 2, 3].map((page) => ({ op: 'putPage', path: `/small-${page}`, html: '<title>x</title>' }))
      const batch = () => tenant.api('/batch', { body: JSON.stringify({ operations }), headers })
      let sent = 0
      return () => statusOf([publish, publish, list, publish, publish, batch][sent % 6]!(sent++ % 20))
    },
  },
]

function sender(tenant: Tenant, path: string, body: string): Act {
  return () => statusOf(tenant.api(path, { body }))
}

async function dryRun(tenant: Tenant, html: string): Promise<Act> {
  let number = 0
  return () =>
    statusOf(tenant.api(`/pages?path=/dry-${number++}&dryRun=true`, { method: 'PUT', body: `<title>x</title>${html}` }))
}

async function collectionOf(tenant: Tenant, records: number, characters: number): Promise<string> {
  const name = `large-${randomUUID()}`
  const { id } = await tenant.must<{ id: string }>('/collections', { body: JSON.stringify({ name }) })
  const body = JSON.stringify({ data: { t: 'a'.repeat(characters) } })
  for (let made = 0; made < records; made++) await tenant.must(`/collections/${id}/records`, { body })
  return id
}
