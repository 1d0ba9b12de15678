// Sites for the tests of the dashboard.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { within } from '../support/within.js'
import { git, withClone } from '../support/git.js'
import type { TestService } from '../support/service.js'

/** The slug of a new site. */
export async function makeSite(service: TestService): Promise<string> {
  return (await createSite(service, await mintAdmin(service))).slug
}

export async function makeSites(count: number, service: TestService): Promise<void> {
  const { provisioner } = service.server.service.services
  const slugs = Array.from({ length: count }, () => `site-${randomUUID().slice(0, 8)}`)
  await Promise.all(slugs.map((slug) => provisioner.createSite(service.workspaceId, slug)))
}

/** The slug of a new site with so many pages `/p/0`, `/p/1`, …, pushed in one commit. */
export async function makeSiteOf(count: number, service: TestService): Promise<string> {
  const { slug, id } = await createSite(service, await mintAdmin(service))
  await withClone(service.gitdir(slug), (folder) => {
    const pages = Array.from({ length: count }, (_, n) => `M 100644 :1 p/${n}.html\n`).join('')
    const commit =
      'commit refs/heads/main\ncommitter Olga <olga@example.org> 1700000000 +0000\ndata 4\nMany\nfrom refs/heads/main^0\n'
    const input = `blob\nmark :1\ndata 8\n<p>x</p>\n${commit}${pages}`
    execFileSync('git', ['fast-import', '--quiet'], { cwd: folder, input })
    git(folder, 'push', '--quiet')
  })
  // A push is seen a moment later, and the screen shows the state of the moment when it was opened.
  await within(60_000, async () => {
    const { body } = await service.api().get('/pages?limit=1').set('x-service-site-id', id)
    assert.equal((body as { data: unknown[] }).data.length, 1)
  })
  return slug
}

async function mintAdmin(service: TestService): Promise<string> {
  return (await service.mint({ scopes: ['admin'] })).key
}

async function createSite(service: TestService, key: string): Promise<{ slug: string; id: string }> {
  const slug = `site-${randomUUID().slice(0, 8)}`
  const { body } = await service.api(key).post('/sites').send({ slug }).expect(201)
  return { slug, id: (body as { data: { id: string } }).data.id }
}
