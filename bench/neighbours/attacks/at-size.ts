// Attacks by work that everyone may request, repeated: clones, pushes, deploys and searches of a site of usual size.

import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Act, type Attack, statusOf } from '../attack.js'
import { push } from '../push.js'
import type { OwnSite, Tenant } from '../tenant.js'

const run = promisify(execFile)
const PAGES = 2000
const CLONED_BYTES = 20 * 1024 * 1024

export const AT_SIZE: readonly Attack[] = [
  {
    name: 'writers',
    about: '32 writers of one site',
    atOnce: 32,
    prepare: (tenant) => {
      let written = 0
      const put = () => tenant.api(`/pages?path=/written-${written++ % PAGES}`, { method: 'PUT', body: '<p>text</p>' })
      return Promise.resolve(() => statusOf(put()))
    },
  },
  {
    name: 'pages',
    about: 'pushes of 30,000 pages, each to a site of its own',
    atOnce: 1,
    prepare: (tenant) => {
      const files = Object.fromEntries(
        Array.from({ length: 30_000 }, (_, page) => [`p${page}.html`, `<title>${page}</title>`]),
      )
      return Promise.resolve(async () => {
        const { gitdir } = await tenant.makeSite()
        return (await push(gitdir, () => Promise.resolve([{ files }]))) ?? 'pushed'
      })
    },
  },
  {
    name: 'clones',
    about: 'whole clones of a site of 20 MB, over HTTP, 4 at once',
    atOnce: 4,
    prepare: (tenant) =>
      withSite(tenant, { 'large.bin': randomBytes(CLONED_BYTES) }, (site) => () => {
        return inFolder(async (folder) =>
          outcomeOf(run('git', ['clone', '--quiet', '--bare', remote(tenant, site), folder])),
        )
      }),
  },
  {
    name: 'advertisements',
    about: 'what git asks for first, 32 at once',
    atOnce: 32,
    prepare: async (tenant) => {
      const { slug } = await tenant.makeSite()
      return () => statusOf(tenant.base(`/git/${slug}.git/info/refs?service=git-upload-pack`))
    },
  },
  {
    name: 'pushes',
    about: 'pushes of one page over HTTP, to 4 sites at once',
    atOnce: 4,
    prepare: async (tenant) => {
      const sites = [await tenant.makeSite(), await tenant.makeSite(), await tenant.makeSite(), await tenant.makeSite()]
      let pushed = 0
      return () => pushPage(tenant, sites[pushed++ % sites.length]!)
    },
  },
  {
    name: 'deploys',
    about: 'deploys of 20,000 files that share their bytes, one after the other',
    atOnce: 1,
    prepare: async (tenant) => {
      const { id } = await tenant.makeSite()
      return () => deploy(tenant, id)
    },
  },
  {
    name: 'searches',
    about: `searches of words that all of ${PAGES} pages have, 8 at once`,
    atOnce: 8,
    prepare: (tenant) =>
      withSite(tenant, pagesOf(), ({ id }) => () => {
        return statusOf(tenant.api('/search?q=lorem%20ipsum', { headers: { 'x-service-site-id': id } }))
      }),
  },
  {
    name: 'rules',
    about: 'what a _redirects of 500 KB would do, 4 at once',
    atOnce: 4,
    prepare: async (tenant) => {
      const { id } = await tenant.makeSite()
      const redirects = Array.from({ length: 20_000 }, (_, number) => `/from-${number} /to-${number}`).join('\n')
      return () => statusOf(tenant.api(`/sites/${id}/resolve`, { body: JSON.stringify({ path: '/x', redirects }) }))
    },
  },
]

async function withSite(
  tenant: Tenant,
  files: Readonly<Record<string, string | Buffer>>,
  then: (site: OwnSite) => Act,
): Promise<Act | string> {
  const site = await tenant.makeSite()
  const refusal = await push(site.gitdir, [{ files }])
  return refusal === undefined ? then(site) : `push refused: ${refusal}`
}

function pagesOf(): Record<string, string> {
  const page = (number: number) => [
    `page-${number}.html`,
    `<title>${number}</title><p>${'lorem ipsum dolor '.repeat(50)}</p>`,
  ]
  return Object.fromEntries(Array.from({ length: PAGES }, (_, number) => page(number))) as Record<string, string>
}

function remote({ data: { port, key } }: Tenant, { slug }: OwnSite): string {
  return `http://any:${key}@127.0.0.1:${port}/git/${slug}.git`
}

async function pushPage(tenant: Tenant, site: OwnSite): Promise<string> {
  return await inFolder(async (folder) => {
    const git = (...args: string[]) =>
      run('git', ['-C', folder, '-c', 'user.name=b', '-c', 'user.email=b@example.org', ...args])
    const work = async () => {
      await run('git', ['clone', '--quiet', '--depth=1', '--no-checkout', remote(tenant, site), folder])
      await git('fetch', '--quiet', '--unshallow')
      await git('commit', '--quiet', '--allow-empty', '--message', 'Push')
      await git('push', '--quiet', 'origin', 'HEAD:main')
    }
    return await outcomeOf(work())
  })
}

async function deploy(tenant: Tenant, siteId: string): Promise<string> {
  const bytes = Buffer.from(`<title>${Math.random()}</title>`)
  const oid = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
  const entry = { oid, size: bytes.length }
  const files = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, number) => [`d${number % 100}/p${number}.html`, entry]),
  )
  const { status, body } = await tenant.api('/deploys', { body: JSON.stringify({ files, siteId }) })
  // During other attacks it may be refused, or get no answer.
  if (status < 200 || status > 299) return String(status)
  const { id } = (JSON.parse(body.toString()) as { data: { id: string } }).data
  const headers = { 'content-type': 'application/octet-stream' }
  await tenant.api(`/deploys/${id}/blobs/${oid}`, { method: 'PUT', body: bytes, headers })
  return await statusOf(tenant.api(`/deploys/${id}/publish`, { body: '{}' }))
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-bench-git-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function outcomeOf(work: Promise<unknown>): Promise<string> {
  return await work.then(
    () => 'done',
    (error: { stderr?: string }) => /error: (\d{3})/.exec(error.stderr ?? '')?.[1] ?? 'refused',
  )
}
