import assert from 'node:assert/strict'
import { versionLabelOf } from '../../../src/model/hosts/version-label.js'
import { git } from '../../support/git.js'
import { startOwnService, type TestService } from '../../support/service.js'

const SECRET = 'xylophone'

describe('a page that only a change request has', () => {
  let server: TestService
  let request: string
  let page: string
  let livePage: string
  /** The newest commit of the request. */
  let commit: string

  before(async () => {
    server = await startOwnService()
    const admin = (await server.mint({ scopes: ['admin'] })).key
    const { body: live } = await server.api().post('/pages').send({ path: '/live', html: '<p>live</p>' }).expect(201)
    livePage = live.data.id as string
    const settings = { markdown: true, search: true, publicHistory: true }
    await server.api(admin).patch(`/sites/${server.site.id}`).send(settings).expect(200)
    const html = `<title>${SECRET}</title><p>${SECRET} <a href="/live">live</a></p>`
    const { body } = await server.api().post('/pages?changeRequest=new').send({ path: '/secret', html }).expect(201)
    request = body.changeRequest as string
    page = body.data.id as string
    commit = git(`${server.dataDir}/drafts/demo.git`, 'rev-parse', request)
  })
  after(() => server.stop())

  const visit = (path: string, slug?: string) => server.visit(path, slug)
  /** Asks the API as somebody who may write everything, without naming the request. */
  const ask = (path: string) => server.api().get(path)

  it('is on no host of the site, whatever time or commit is asked for', async () => {
    await visit('/secret').expect(404)
    const main = git(server.gitdir(), 'rev-parse', 'main')
    const past = new URL(server.origin)
    past.hostname = `${versionLabelOf({ commit: main, slug: 'demo' })}.localhost`
    await visit('/secret').set('Accept-Datetime', new Date().toUTCString()).expect('location', `${past.origin}/secret`)
    await visit('/secret', versionLabelOf({ commit: main, slug: 'demo' })).expect(404)
    await visit('/live', versionLabelOf({ commit: main, slug: 'demo' })).expect(200)
    for (const path of ['/secret', '/live']) await visit(path, versionLabelOf({ commit, slug: 'demo' })).expect(404)
  })

  it('is in no list, search or file that is made of the site', async () => {
    for (const path of ['/sitemap.xml', '/llms.txt', '/robots.txt', `/_search?q=${SECRET}`]) {
      const answer = await visit(path)
      assert.ok(!answer.text.includes('/secret'), `${path}: ${answer.text}`)
    }
    const { id } = server.site
    const lists = [
      '/pages?status=all',
      '/files',
      `/search?q=${SECRET}`,
      `/pages/${livePage}/backlinks`,
      `/sites/${id}/commits`,
    ]
    for (const path of [...lists, `/sites/${id}/tags`, `/sites/${id}/checks`, '/usage', '/usage/sites']) {
      const { text } = await ask(path).expect(200)
      for (const word of ['/secret', SECRET, page, commit, request]) assert.ok(!text.includes(word), `${path}: ${text}`)
    }
  })

  it('is answered by its ids as one that does not exist', async () => {
    const { id } = server.site
    const unknown = '7d7d7d7d-7d7d-4d7d-8d7d-7d7d7d7d7d7d'
    const noCommit = '7'.repeat(40)
    const pairs = [
      [`/pages/${page}`, `/pages/${unknown}`],
      [`/pages/${page}/versions`, `/pages/${unknown}/versions`],
      [`/sites/${id}/commits/${commit}`, `/sites/${id}/commits/${noCommit}`],
      ['/files/content?path=/secret.html', '/files/content?path=/unknown.html'],
    ] as const
    for (const [secret, other] of pairs) {
      const [found, missing] = [await ask(secret), await ask(other)]
      assert.deepEqual([found.status, found.body.error?.code], [404, missing.body.error?.code], secret)
    }
    const link = await server.api().post(`/sites/${id}/links`).send({ commit })
    assert.equal(link.status, 404)
    const revert = await server.api().post(`/sites/${id}/revert`).send({ commit })
    assert.equal(revert.status, 404)
  })

  it('is unknown to the rules of the site', async () => {
    const { body } = await server.api().post(`/sites/${server.site.id}/resolve`).send({ path: '/secret' }).expect(200)
    const { body: other } = await server
      .api()
      .post(`/sites/${server.site.id}/resolve`)
      .send({ path: '/unknown' })
      .expect(200)
    assert.deepEqual(
      JSON.stringify(body.data).replaceAll('/secret', ''),
      JSON.stringify(other.data).replaceAll('/unknown', ''),
    )
  })
})
