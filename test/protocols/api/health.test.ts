import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import supertest from 'supertest'
import { sqliteVersion } from '../../../src/catalog/sqlite/sqlite-version.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { PATIENCE_MS, within } from '../../support/within.js'

interface Trouble {
  site: { id: string; slug: string }
  kind: string
  what: string
  remedy: string
}

describe('GET /healthz?verbose=1', () => {
  let service: TestService

  const ask = (key = '', fields: Record<string, string> = {}) => {
    const test = supertest(service.origin).get('/healthz?verbose=1').set(fields)
    return key === '' ? test : test.set('Authorization', `Bearer ${key}`)
  }
  const troubles = async (key = '') => (await ask(key)).body.troubles as Trouble[] | undefined

  /** The ref of main, which a disk or an operator may damage. */
  const main = () => join(service.gitdir(), 'refs/heads/main')
  const damageMain = () => writeFileSync(main(), 'nothing\n')

  describe('of a service on this machine', () => {
    before(async () => {
      service = await startOwnService({ env: { TASK_PROCESSES: '3' } })
    })
    after(() => service.stop())

    it('names the bounds in use to programs on the same machine', async () => {
      const { bounds } = (await ask()).body as { bounds: Record<string, number> }
      assert.deepEqual([bounds['TASK_PROCESSES'], bounds['MAX_HTML_BYTES']], [3, 10_485_760])
      const names = readFileSync('docs/configuration.md', 'utf8')
      for (const name of Object.keys(bounds)) assert.ok(names.includes(`\`${name}\``), name)
    })

    it('names the version of SQLite to programs on the same machine', async () => {
      assert.equal(((await ask()).body as { sqlite: string }).sqlite, sqliteVersion())
    })

    it("treats a forwarded request, or one for another host, as a stranger's", async () => {
      assert.deepEqual(await troubles(), [])
      const passedOn: Record<string, string>[] = [
        { 'X-Forwarded-For': '192.0.2.1' },
        { Forwarded: 'for=192.0.2.1' },
        { 'X-Real-IP': '192.0.2.1' },
        { Via: '1.1 proxy' },
        { Host: '192.0.2.1' },
      ]
      for (const fields of passedOn)
        assert.equal((await ask('', fields)).body.troubles, undefined, JSON.stringify(fields))
    })

    it('names a damaged site by itself, with the remedy, until it is repaired, and stays alive and ready', async () => {
      assert.deepEqual(await troubles(), [])
      const whole = readFileSync(main())
      damageMain()
      await within(PATIENCE_MS, async () => {
        const [trouble] = (await troubles()) ?? []
        assert.deepEqual([trouble?.site.slug, trouble?.kind], ['demo', 'repository'])
        assert.match(trouble?.what ?? '', /refs\/heads\/main does not hold an object id/)
        assert.match(trouble?.remedy ?? '', /logs\/refs\/heads\/main/)
      })
      assert.equal((await supertest(service.origin).get('/readyz')).status, 200)
      await service.visit('/').expect(503)
      writeFileSync(main(), whole)
      await within(PATIENCE_MS, async () => assert.deepEqual(await troubles(), []))
      await service.visit('/').expect(200)
    })
  })

  describe('of a public service', () => {
    before(async () => {
      service = await startOwnService({ env: { BASE_URL: 'https://api.example.org', SITE_DOMAIN: 'localhost' } })
    })
    after(() => service.stop())

    it('tells strangers that the service is alive, and nothing of its sites', async () => {
      damageMain()
      await service.visit('/').expect(503)
      const stranger = await ask()
      assert.deepEqual([stranger.status, stranger.body.status, stranger.body.troubles], [200, 'ok', undefined])
      assert.equal(stranger.body.bounds, undefined)
      for (const scopes of [['read'], ['read', 'write']] as const) {
        assert.equal(await troubles((await service.mint({ scopes: [...scopes] })).key), undefined)
      }
      assert.equal(await troubles('pal_not-a-key'), undefined)
      assert.doesNotMatch(stranger.text, /demo/)
    })

    it("shows an administrator's key the sites that it may see, and no others", async () => {
      const scopes = ['admin'] as const
      const { workspaces } = service.server.service.services.catalog
      const other = await workspaces.create({
        id: crypto.randomUUID(),
        name: 'Other',
        createdAt: '2026-11-21T10:00:00Z',
      })
      const own = await service.mint({ scopes: [...scopes] })
      const second = await service.api(own.key).post('/sites').send({ slug: 'second' }).expect(201)
      const limited = await service.mint({ scopes: [...scopes], sites: [(second.body.data as { id: string }).id] })
      const foreign = await service.mint({ scopes: [...scopes], workspaceId: other.id })
      damageMain()
      await service.visit('/').expect(503)
      assert.deepEqual(
        (await troubles(own.key))?.map(({ site }) => site.slug),
        ['demo'],
      )
      assert.deepEqual(await troubles(limited.key), [])
      assert.deepEqual(await troubles(foreign.key), [])
    })
  })
})
