// Attacks by repository content that no push brought: a damaged ref, replaced objects, an imported history; and by many sites.

import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { palimpsest } from '../../ground/running-service.js'
import { type Act, type Attack, statusOf } from '../attack.js'
import { type Objects, objectsIn } from '../push.js'
import type { OwnSite, Tenant } from '../tenant.js'

/** More sites than two writer threads keep open. */
const MANY_SITES = 560

export const REPOSITORIES: readonly Attack[] = [
  {
    name: 'many sites',
    about: `pages put on ${MANY_SITES} sites in turn`,
    atOnce: 4,
    async prepare(tenant) {
      const sites: OwnSite[] = []
      while (sites.length < MANY_SITES) sites.push(await tenant.makeSite())
      let put = 0
      return () => {
        const { id = '' } = sites[put++ % MANY_SITES] ?? {}
        const headers = { 'x-service-site-id': id }
        return statusOf(tenant.api('/pages?path=/turn', { method: 'PUT', body: `<title>${put}</title>`, headers }))
      }
    },
  },
  {
    name: 'empty main',
    about: '32 visitors of a site whose refs/heads/main is an empty file',
    atOnce: 32,
    async prepare(tenant) {
      const { slug, gitdir } = await tenant.makeSite()
      writeFileSync(join(gitdir, 'refs/heads/main'), '')
      return () => statusOf(tenant.visit(slug, '/'))
    },
  },
  {
    name: 'replaced tree',
    about: "a tree of 10^10 files that refs/replace shows in place of a site's own: its sitemap, and its checks",
    atOnce: 2,
    async prepare(tenant) {
      const site = await tenant.makeSite()
      const own = git(site.gitdir, 'rev-parse', 'main^{tree}')
      // Written directly, since the hooks refuse it even if git itself does it here.
      mkdirSync(join(site.gitdir, 'refs/replace'))
      writeFileSync(join(site.gitdir, 'refs/replace', own), `${await endlessTree(objectsIn(site.gitdir))}\n`)
      return sitemapAndChecks(tenant, site)
    },
  },
  {
    name: 'imported tree',
    about: 'a repository with a tree of 10^10 files, imported as a site: its sitemap, and its checks',
    atOnce: 2,
    async prepare(tenant) {
      const folder = mkdtempSync(join(tmpdir(), 'palimpsest-bench-import-'))
      try {
        git(folder, 'init', '--quiet', '--bare', '--initial-branch=main')
        const who = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.org']
        const commit = git(folder, ...who, 'commit-tree', '-m', 'Endless', await endlessTree(objectsIn(folder)))
        git(folder, 'update-ref', 'refs/heads/main', commit)
        const slug = `i${randomBytes(6).toString('hex')}`
        const { workspace } = await tenant.must<{ workspace: { id: string } }>('/me')
        const of = ['--workspace', workspace.id]
        const made = await palimpsest(tenant.data.dataDir, 'sites', 'import', slug, folder, ...of)
        const [id = ''] = /[0-9a-f-]{36}/.exec(made) ?? []
        return sitemapAndChecks(tenant, { id, slug, gitdir: folder })
      } catch (error) {
        return `import refused: ${lastLineOf(error)}`
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
  },
]

function sitemapAndChecks(tenant: Tenant, { id, slug }: OwnSite): Act {
  return async () => {
    const answers = [statusOf(tenant.visit(slug, '/sitemap.xml')), statusOf(tenant.api(`/sites/${id}/checks`))]
    return (await Promise.all(answers)).join(' ')
  }
}

/** Makes ten levels of ten equal folders. */
async function endlessTree(objects: Objects): Promise<string> {
  const page = await objects.blob('<title>p</title>')
  const names = Array.from({ length: 10 }, (_, number) => `f${number}`)
  let tree = await objects.tree(names.map((name) => `100644 blob ${page}\t${name}.html`))
  for (let level = 1; level < 10; level++)
    tree = await objects.tree(names.map((name) => `040000 tree ${tree}\t${name}`))
  return tree
}

function git(gitdir: string, ...args: string[]): string {
  return execFileSync('git', ['-C', gitdir, ...args])
    .toString()
    .trim()
}

function lastLineOf(error: unknown): string {
  const { stderr = String(error) } = error as { stderr?: string }
  return (stderr.trim().split('\n').at(-1) ?? '').slice(0, 120)
}
