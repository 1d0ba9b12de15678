// Each way in which a commit becomes live is told to those who listen in this process.

import assert from 'node:assert/strict'
import type { LiveCommit } from '../../../src/repository/protocol/live-commits.js'
import { manifestOf, tarOf } from '../../scenarios/files/folder.js'
import { git } from '../../support/git.js'
import { RemoteGit } from '../../support/remote-git.js'
import { type ApiClient, startTestService, type TestService } from '../../support/service.js'
import { PATIENCE_MS, within } from '../../support/within.js'

describe('a listener to live commits', () => {
  let service: TestService
  let api: ApiClient
  let heard: LiveCommit[]
  let isFailing = false
  const client = new RemoteGit()

  before(async () => {
    service = await startTestService()
    const { key } = await service.mint({ scopes: ['admin'] })
    api = service.api(key)
    service.server.service.services.store.live.onLive((live) => {
      if (isFailing) throw new Error('a listener that fails')
      heard.push(live)
    })
  })
  beforeEach(() => (heard = []))
  after(async () => {
    client.remove()
    await service.stop()
  })

  const head = (slug?: string) => git(service.gitdir(slug), 'rev-parse', 'main')
  const own = () => heard.filter(({ site }) => site.id === service.site.id)
  /** Those that this process wrote: the index may tell of a commit once more. */
  const written = () => own().filter((live) => live.own !== undefined)
  const publish = (path: string) => api.post('/pages').send({ path, html: path })
  /** Does it, and expects that the site's new head was told by the time of the answer. */
  async function hears(act: () => Promise<unknown>): Promise<LiveCommit> {
    const before = head()
    await act()
    assert.notEqual(head(), before)
    const found = own().find(({ commit }) => commit === head())
    assert.ok(found, JSON.stringify(own()))
    return found
  }
  const hearsSoon = async (slug?: string) =>
    await within(PATIENCE_MS, () => assert.ok(heard.some(({ commit }) => commit === head(slug))))

  it('hears of pages, files, batches, reverts and deploys, once each, with what was written', async () => {
    const base = head()
    await hears(async () => await publish('/one').expect(201))
    assert.deepEqual(
      written().map(({ commit, own: made }) => [commit, made?.written.facts?.parent]),
      [[head(), base]],
    )
    await hears(async () => await api.put('/files?path=/a.txt').type('text').send('a').expect(201))
    const items = ['/two', '/three'].map((path) => ({ op: 'putPage', path, html: path }))
    await hears(async () => await api.post('/batch').send({ operations: items }).expect(200))
    await hears(async () => await api.post(`/sites/${service.site.id}/revert`).send({ commit: head() }).expect(201))
    const folder = { 'index.html': '<h1>Deployed' }
    const { body } = await api
      .post('/deploys')
      .send({ files: manifestOf(folder) })
      .expect(201)
    const deploy = `/deploys/${body.data.id}`
    await api.post(`${deploy}/blobs`).type('application/x-tar').send(tarOf(folder, body.data.missing)).expect(200)
    await hears(async () => await api.post(`${deploy}/publish`).expect(200))
    assert.equal(written().length, 5)
  })

  it('hears nothing of a dry run, of a write that changes nothing, and of one that is refused', async () => {
    await publish('/same').expect(201)
    heard = []
    await api.post('/pages?dryRun=true').send({ path: '/tried', html: 'tried' }).expect(200)
    await api.put('/pages?path=/same').send({ html: '/same' }).expect(200)
    await publish('/same').expect(409)
    assert.deepEqual(written(), [])
  })

  it('hears of a push over HTTP, and of one by path that nobody asks about', async () => {
    const { host } = new URL(service.origin)
    const url = `http://any:${service.key}@${host}/git/${service.site.slug}.git`
    await client.run('clone', '--quiet', url, 'clone')
    await client.in('clone', 'commit', '--quiet', '--allow-empty', '-m', 'Over HTTP')
    const pushed = await hears(async () => await client.in('clone', 'push', '--quiet', 'origin', 'HEAD:main'))
    assert.equal(pushed.own, undefined)
    await client.in('clone', 'commit', '--quiet', '--allow-empty', '-m', 'By path')
    await client.in('clone', 'push', '--quiet', service.gitdir(), 'HEAD:main')
    await hearsSoon()
  })

  it('hears of a site that is imported', async () => {
    const source = client.path('plain')
    await client.run('init', '--quiet', '--initial-branch=main', source)
    await client.in('plain', 'commit', '--quiet', '--allow-empty', '-m', 'Elsewhere')
    const { provisioner } = service.server.service.services
    await provisioner.importSite(service.workspaceId, 'heard-of', source)
    assert.ok(heard.some(({ commit, site }) => site.slug === 'heard-of' && commit === head('heard-of')))
  })

  it('harms no write when it fails', async () => {
    isFailing = true
    try {
      await publish('/despite-a-failure').expect(201)
    } finally {
      isFailing = false
    }
    assert.equal((await service.visit('/despite-a-failure', service.site.slug).expect(200)).text, '/despite-a-failure')
  })
})
