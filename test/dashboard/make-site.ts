// Sites for the tests of the dashboard.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { within } from '../scenarios/operators/operator.js'
import { git, withClone } from '../support/git.js'
import type { TestService } from '../support/service.js'

/** The slug of a new site. */
export async function makeSite(service: TestService): Promise<string> {
  return (await createSite(service)).slug
}

/** The slug of a new site with so many pages `/p/0`, `/p/1`, …, pushed in one commit. */
export async function makeSiteOf(count: number, service: TestService): Promise<string> {
  const { slug, id } = await createSite(service)
  await withClone(service.gitdir(slug), (folder) => {
    mkdirSync(join(folder, 'p'))
    for (let n = 0; n < count; n++) writeFileSync(join(folder, `p/${n}.html`), '<p>x</p>')
    git(folder, 'add', '.')
    git(folder, 'commit', '--quiet', '-m', 'Many')
    git(folder, 'push', '--quiet')
  })
  // A push is seen a moment later, and the screen shows what was there when it was opened.
  await within(20_000, async () => {
    const { body } = await service.api().get('/pages?limit=1').set('x-service-site-id', id)
    assert.equal((body as { data: unknown[] }).data.length, 1)
  })
  return slug
}

async function createSite(service: TestService): Promise<{ slug: string; id: string }> {
  const slug = `site-${randomUUID().slice(0, 8)}`
  const admin = service.api((await service.mint({ scopes: ['admin'] })).key)
  const { body } = await admin.post('/sites').send({ slug }).expect(201)
  return { slug, id: (body as { data: { id: string } }).data.id }
}
