// Attacks by trees, files and messages of a small push, and by requests that read them.

import { type Act, type Attack, statusOf, together } from '../attack.js'
import { type Objects, push, type PushedCommit } from '../push.js'
import type { OwnSite, Tenant } from '../tenant.js'

const MIB = 1024 * 1024

export const PUSHES: readonly Attack[] = [
  {
    name: 'large sitemap',
    about: 'a site of 30,000 pages, whose sitemap visitors ask for, 25 times half a second apart',
    atOnce: 2,
    prepare: (tenant) =>
      pushed(
        tenant,
        () => Promise.resolve([{ files: filesOf(30_000, (number) => `p${number}.html`, '<title>p</title>') }]),
        ({ slug }) =>
          () =>
            statusOf(tenant.visit(slug, '/sitemap.xml')),
      ),
  },
  {
    name: 'deep sitemap',
    about: '2,000 nested folders with a page each, and their sitemap',
    atOnce: 2,
    prepare: (tenant) =>
      pushed(
        tenant,
        async (objects) => {
          const page = await objects.blob('<title>p</title>')
          let tree = await objects.tree([`100644 blob ${page}\tp.html`])
          for (let depth = 1; depth < 2000; depth++)
            tree = await objects.tree([`040000 tree ${tree}\ta`, `100644 blob ${page}\tp.html`])
          return [{ tree }]
        },
        ({ slug }) =>
          () =>
            statusOf(tenant.visit(slug, '/sitemap.xml')),
      ),
  },
  {
    name: 'wide sitemap',
    about: '390,625 pages in 76 KB, and their sitemap',
    atOnce: 2,
    prepare: (tenant) => pushedFolders(tenant, 25, (number) => `f${String(number).padStart(2, '0')}`),
  },
  {
    name: 'long sitemap',
    about: '83,521 pages in folders with names of 185 characters that a URL writes as 550, and their sitemap',
    atOnce: 2,
    prepare: (tenant) => pushedFolders(tenant, 17, (number) => `f${' '.repeat(182)}${10 + number}`),
  },
  {
    name: 'redirects',
    about: '98 redirects with "*" in a chain, and requests of 29,000 and of 2,000 segments',
    atOnce: 4,
    prepare: (tenant) =>
      pushed(
        tenant,
        () => {
          const rules = Array.from({ length: 98 }, (_, number) => `/r${number}/*/x /r${number + 1}/:splat/x 200`)
          return Promise.resolve([{ files: { _redirects: `${rules.join('\n')}\n` } }])
        },
        ({ slug }) =>
          () =>
            together(2, (number) => statusOf(tenant.visit(slug, `/r0${'/a'.repeat(number === 0 ? 29_000 : 2000)}/x`))),
      ),
  },
  {
    name: 'long rules',
    about: 'a _redirects of 10 MB, and the checks of the site',
    atOnce: 2,
    prepare: (tenant) =>
      pushed(
        tenant,
        () => Promise.resolve([{ files: { _redirects: '/from /to\n'.repeat(1_000_000) } }]),
        ({ id }) =>
          () =>
            statusOf(tenant.api(`/sites/${id}/checks`)),
      ),
  },
  {
    name: 'nested page',
    about: 'a page of 200,000 nested elements, and the checks of the site',
    atOnce: 2,
    prepare: (tenant) =>
      pushed(
        tenant,
        () => Promise.resolve([{ files: { 'p.html': `<a href=/x>${'<div>'.repeat(200_000)}` } }]),
        ({ id }) =>
          () =>
            statusOf(tenant.api(`/sites/${id}/checks`)),
      ),
  },
  {
    name: 'template',
    about: 'a template that splits, sorts and joins a page of 9 MB',
    atOnce: 2,
    prepare: (tenant) =>
      pushed(
        tenant,
        () =>
          Promise.resolve([{ files: { '.templates/slow.html': '{{ content | split: "" | sort | join | size }}' } }]),
        ({ id }) => {
          const body = JSON.stringify({ path: '/t', html: 'ba'.repeat(4_500_000), templateId: 'slow', siteId: id })
          return () => statusOf(tenant.api('/pages?dryRun=true', { body }))
        },
      ),
  },
  {
    name: 'large page',
    about: 'a page of 200 MB in a push of 1 MB, read by the API: whole, two lines of it, and a difference',
    atOnce: 1,
    prepare: (tenant) => {
      const html = (letter: string) => Buffer.alloc(200 * MIB, `${letter.repeat(99)}\n`)
      const commits = ['a', 'b'].map((letter) => ({ files: { 'large.html': html(letter) } }))
      return pushed(
        tenant,
        () => Promise.resolve(commits),
        ({ id: siteId }) => {
          const headers = { 'x-service-site-id': siteId }
          return async () => {
            const list = await tenant.api('/pages?path=/large', { headers })
            const [, id = ''] = /"id":"([0-9a-f-]{36})"/.exec(list.body.toString()) ?? []
            const paths = [`/pages/${id}`, `/pages/${id}?lines=1-2`, `/pages/${id}/diff`]
            return together(3, (number) => statusOf(tenant.api(paths[number] ?? '', { headers })))
          }
        },
      )
    },
  },
  {
    name: 'long message',
    about: 'a commit message of 100 MB in a push of 0.6 MB, and the list of commits',
    atOnce: 1,
    prepare: (tenant) =>
      pushed(
        tenant,
        () => Promise.resolve([{ message: Buffer.alloc(100 * MIB, 'a long line of a message\n'), files: { a: 'b' } }]),
        ({ id }) =>
          () =>
            statusOf(tenant.api(`/sites/${id}/commits`)),
      ),
  },
  {
    name: 'long history',
    about: 'a page of 8,000 versions: reverts that are refused, and a rollback to the first',
    atOnce: 2,
    prepare: (tenant) =>
      pushed(
        tenant,
        () =>
          Promise.resolve(
            Array.from({ length: 8000 }, (_, number) => ({ files: { 'p.html': `<title>${number}</title>` } })),
          ),
        ({ id, slug }) => {
          const headers = { 'x-service-site-id': id }
          const admin = { authorization: `Bearer ${tenant.data.adminKey}` }
          const revert = JSON.stringify({ commit: '1'.repeat(40) })
          return async () => {
            const list = await tenant.api('/pages?path=/p', { headers })
            const [, page = ''] = /"id":"([0-9a-f-]{36})"/.exec(list.body.toString()) ?? []
            await tenant.visit(slug, '/p')
            return together(2, (number) =>
              statusOf(
                number === 0
                  ? tenant.api(`/sites/${id}/revert`, { body: revert, headers: admin })
                  : tenant.api(`/pages/${page}/rollback`, { body: '{"version":1}', headers }),
              ),
            )
          }
        },
      ),
  },
  {
    name: 'reverts',
    about: 'reverts of a batch of 120 pages, each of them changed since, 4 at once',
    atOnce: 1,
    async prepare(tenant) {
      const { id } = await tenant.makeSite()
      const headers = { 'x-service-site-id': id }
      const admin = { authorization: `Bearer ${tenant.data.adminKey}` }
      const lines = (word: string) => Array.from({ length: 300 }, (_, line) => `${word} ${line}`).join('\n')
      const batch = (word: string) =>
        tenant.must<{ commit: string }>('/batch', {
          body: JSON.stringify({
            operations: Array.from({ length: 120 }, (_, number) => ({
              op: 'putPage',
              path: `/reverted-${number}`,
              html: lines(word),
            })),
          }),
          headers,
        })
      await batch('first')
      const { commit } = await batch('second')
      await batch('third')
      const body = JSON.stringify({ commit })
      return () => together(4, () => statusOf(tenant.api(`/sites/${id}/revert`, { body, headers: admin })))
    },
  },
]

/** Makes a site and pushes to it. Returns the refusal, or the act that follows. */
async function pushed(
  tenant: Tenant,
  make: (objects: Objects) => Promise<PushedCommit[]>,
  then: (site: OwnSite) => Act,
): Promise<Act | string> {
  const site = await tenant.makeSite()
  const refusal = await push(site.gitdir, make)
  return refusal === undefined ? then(site) : `push refused: ${refusal}`
}

/** Pushes four levels of `count` equal folders each, every tree only once. The act visits the sitemap. */
async function pushedFolders(tenant: Tenant, count: number, nameOf: (number: number) => string): Promise<Act | string> {
  const names = Array.from({ length: count }, (_, number) => nameOf(number))
  const make = async (objects: Objects) => {
    const page = await objects.blob('<title>p</title>')
    let tree = await objects.tree(names.map((name) => `100644 blob ${page}\t${name}.html`))
    for (let level = 1; level < 4; level++)
      tree = await objects.tree(names.map((name) => `040000 tree ${tree}\t${name}`))
    return [{ tree }]
  }
  return await pushed(
    tenant,
    make,
    ({ slug }) =>
      () =>
        statusOf(tenant.visit(slug, '/sitemap.xml')),
  )
}

function filesOf(count: number, nameOf: (number: number) => string, content: string): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, number) => [nameOf(number), content]))
}
