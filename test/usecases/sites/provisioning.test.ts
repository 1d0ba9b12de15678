import assert from 'node:assert/strict'
import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assertSound } from '../../support/git.js'
import { startOwnService } from '../../support/service.js'
import { openServiceParts, refusal, type ServiceParts } from '../service-parts.js'

describe('the provisioning of workspaces and sites', () => {
  describe('creating a workspace', () => {
    let parts: ServiceParts

    beforeEach(async () => {
      parts = await openServiceParts()
    })
    afterEach(() => parts.stop())

    for (const [slug, code] of [
      ['demo', 'slug_taken'],
      ['www', 'reserved_slug'],
      ['No_Slug', 'invalid_slug'],
    ] as const) {
      it(`leaves no workspace behind if its slug is refused with ${code}`, async () => {
        const { catalog, provisioner } = parts.services
        await assert.rejects(provisioner.createWorkspace('Other', slug), refusal(code))
        assert.deepEqual(
          (await catalog.workspaces.list()).map(({ name }) => name),
          ['First'],
        )
      })
    }

    it('sorts it after all others, also in the same second or after the clock was set back', async () => {
      const { catalog, provisioner } = parts.services
      for (let at = 0; at < 8; at++) {
        if (at === 4) parts.pass(-86_400)
        await provisioner.createWorkspace(`Number ${at}`, `number-${at}`)
      }
      const names = (await catalog.workspaces.list()).map(({ name }) => name)
      assert.deepEqual(names, ['First', ...Array.from({ length: 8 }, (_, at) => `Number ${at}`)])
    })

    it('keeps the workspace of a site that the next start may complete', async () => {
      const { catalog, provisioner } = parts.services
      writeFileSync(parts.gitdir({ ...parts.site, slug: 'other' }), '')
      await assert.rejects(provisioner.createWorkspace('Other', 'other'), refusal('outcome_unknown'))
      assert.equal((await catalog.workspaces.list()).length, 2)
    })
  })

  it('finishes at a start a deletion that a crash interrupted after the site was marked deleted', async () => {
    const first = await startOwnService({ keep: true })
    const { dataDir } = first
    try {
      const { catalog, provisioner } = first.server.service.services
      const names = ['half-gone', 'in-the-way']
      const [gone, blocked] = await Promise.all(names.map((slug) => provisioner.createSite(first.workspaceId, slug)))
      assert.ok(gone !== undefined && blocked !== undefined)
      for (const { id } of [gone, blocked]) await catalog.sites.markDeleted(id)
      const retired = (site: { slug: string; id: string }) => join(dataDir, '.retired', `${site.slug}-${site.id}.git`)
      // An operator's copy lies where the repository should go: the start must not fail over it.
      cpSync(first.gitdir('in-the-way'), retired(blocked), { recursive: true })
      await first.stop()

      const second = await startOwnService({ dataDir, keep: true })
      try {
        assert.equal(existsSync(second.gitdir('half-gone')), false)
        assertSound(retired(gone))
        assert.equal(existsSync(second.gitdir('in-the-way')), true)
        assert.equal((await second.visit('/')).status, 200)
        const create = await second
          .api((await second.mint({ scopes: ['admin'] })).key)
          .post('/sites')
          .send({ slug: 'half-gone' })
        assert.equal(create.body.error.code, 'slug_taken')
      } finally {
        await second.stop()
      }
    } finally {
      rmSync(dataDir, { recursive: true, force: true })
    }
  })
})
