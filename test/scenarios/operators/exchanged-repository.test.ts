import assert from 'node:assert/strict'
import { cpSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { git } from '../../support/git.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { runPalimpsest } from '../serve-process.js'
import { PATIENCE_MS, within } from '../../support/within.js'

describe("another site's repository in a site's place", () => {
  let service: TestService
  let victim: { id: string; slug: string }
  const place = (slug: string) => join(service.dataDir, `${slug}.git`)

  before(async () => {
    service = await startOwnService()
    const { key } = await service.mint({ scopes: ['admin'] })
    const { body } = await service.api(key).post('/sites').send({ slug: 'victim' }).expect(201)
    victim = body.data
    await service.api().post('/pages').send({ path: '/secret', html: 'of demo' }).expect(201)
    await service.api().post('/pages').send({ path: '/own', html: 'own', siteId: victim.id }).expect(201)
    renameSync(place('victim'), place('victim-own'))
    cpSync(place('demo'), place('victim'), { recursive: true })
  })
  after(() => service.stop())

  it('is not served and not written to, and the other site goes on', async () => {
    await within(PATIENCE_MS, async () => void (await service.visit('/secret', 'victim').expect(503)))
    await service.visit('/secret').expect(200, 'of demo')
    const api = service.api()
    await within(
      PATIENCE_MS,
      async () => void (await api.get('/pages').set('x-service-site-id', victim.id).expect(503)),
    )
    for (const body of [
      { path: '/new', html: 'x' },
      { path: '/secret', html: 'x' },
    ]) {
      const { body: refused } = await api
        .post('/pages')
        .send({ ...body, siteId: victim.id })
        .expect(503)
      assert.equal(refused.error.code, 'site_unreadable')
    }
    await api.post('/collections').set('x-service-site-id', victim.id).send({ name: 'c' }).expect(503)
    assert.equal(git(place('victim'), 'rev-parse', 'main'), git(place('demo'), 'rev-parse', 'main'))
  })

  it('is reported by health and by fsck, with the id of its real site', async () => {
    const { stdout, code } = await runPalimpsest({ DATA_DIR: service.dataDir }, 'fsck', 'victim')
    assert.equal(code, 1)
    assert.match(stdout, new RegExp(`the repository of the site ${service.site.id}.*\\n.*Another site's repository`))
    await within(PATIENCE_MS, async () => {
      const { text } = await service.visit('/healthz?verbose=1', 'x').set('Host', 'localhost')
      assert.match(text, new RegExp(`the repository of the site ${service.site.id}`))
    })
  })

  it('lets the site be served again once the own one is back', async () => {
    rmSync(place('victim'), { recursive: true })
    renameSync(place('victim-own'), place('victim'))
    await within(PATIENCE_MS, async () => void (await service.visit('/own', 'victim').expect(200, 'own')))
    await within(PATIENCE_MS, async () => {
      await service.api().post('/pages').send({ path: '/later', html: 'x', siteId: victim.id }).expect(201)
    })
    const { code, stdout } = await runPalimpsest({ DATA_DIR: service.dataDir }, 'fsck', 'victim')
    assert.equal(code, 0, stdout)
  })
})
