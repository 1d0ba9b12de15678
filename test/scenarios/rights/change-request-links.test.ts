import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { git } from '../../support/git.js'
import { startOwnService, type TestService } from '../../support/service.js'

interface Link {
  id: string
  url: string
  changeRequest?: string
}

describe('a link to a change request', () => {
  let server: TestService
  let proposer: string
  let proposerId: string
  let now = Date.parse('2026-11-21T10:00:00Z')

  before(async () => {
    server = await startOwnService({ clock: () => new Date(now) })
    const minted = await server.mint({ label: 'Paul', scopes: ['propose'] })
    proposer = minted.key
    proposerId = minted.id
    await server.api().put('/pages?path=/about').send({ html: 'live' }).expect(201)
  })
  after(() => server.stop())

  const create = async (key = proposer): Promise<string> => {
    const { body } = await server.api(key).post(`/sites/${server.site.id}/change-requests`).send({}).expect(201)
    return (body as { data: { id: string } }).data.id
  }
  const write = async (id: string, path: string, html: string, key = proposer) =>
    await server.api(key).put(`/pages?path=${path}&changeRequest=${id}`).send({ html })
  const share = async (id: string, key = proposer, body: object = {}): Promise<Link> => {
    const { body: answer } = await server.api(key).post(`/change-requests/${id}/links`).send(body).expect(201)
    return (answer as { data: Link }).data
  }
  const labelOf = (url: string) => new URL(url).hostname.split('.', 1)[0] ?? ''
  const enter = async (url: string): Promise<string> => {
    const answer = await server.visit(new URL(url).pathname, labelOf(url)).expect(302)
    return (answer.headers['set-cookie']?.[0] ?? '').split(';', 1)[0] ?? ''
  }
  const opened = async (link: Link) => {
    const cookie = await enter(link.url)
    return (path: string) => server.visit(path, labelOf(link.url)).set('Cookie', cookie)
  }

  it('shows the request as a whole at its head, and nothing of it elsewhere', async () => {
    const id = await create()
    await write(id, '/about', 'proposed')
    await write(id, '/404', 'none')
    await server
      .api(proposer)
      .put(`/files?path=/_redirects&changeRequest=${id}`)
      .set('content-type', 'text/plain')
      .send('/old /about 302')
      .expect(201)
    const link = await share(id)
    assert.equal(link.changeRequest, id)
    const visit = await opened(link)
    const answer = await visit('/about').expect(200, 'proposed')
    const { headers } = answer as unknown as { headers: Record<string, string | undefined> }
    assert.deepEqual(
      ['x-robots-tag', 'cache-control', 'x-git-commit', 'memento-datetime', 'link'].map((name) => headers[name]),
      ['noindex', 'private, no-store', undefined, undefined, undefined],
    )
    await visit('/nothing').expect(404, 'none')
    await visit('/old').expect(302).expect('location', '/about')
    for (const path of ['/sitemap.xml', '/robots.txt', '/llms.txt']) await visit(path).expect(404, 'none')
    await write(id, '/about', 'proposed again')
    await visit('/about').expect(200, 'proposed again')
    await server.visit('/about', labelOf(link.url)).expect(404)
    await server.visit('/about').expect(200, 'live')
  })

  it('answers conditions and ranges, also of files that are sent in pieces', async () => {
    const id = await create()
    const bytes = Buffer.alloc(9 * 1024 * 1024, 'abcdefgh')
    await server
      .api(proposer)
      .put(`/files?path=/large.bin&changeRequest=${id}`)
      .set('content-type', 'application/octet-stream')
      .send(bytes)
      .expect(201)
    const visit = await opened(await share(id))
    const { headers } = await visit('/about').expect(200, 'live')
    await visit('/about')
      .set('If-None-Match', headers['etag'] ?? '')
      .expect(304)
    await visit('/large.bin').set('Range', 'bytes=8388600-8388609').expect(206, Buffer.from('abcdefghab'))
    await visit('/large.bin').expect(200, bytes)
  })

  it('hides a page that the site has stopped showing, unless the request changes it', async () => {
    const pages = await Promise.all(
      ['/gone', '/kept'].map(async (path) => {
        const { body } = await server.api().post('/pages').send({ path, html: 'once' }).expect(201)
        return (body as { data: { id: string } }).data.id
      }),
    )
    const id = await create()
    await write(id, '/kept', 'changed here')
    const visit = await opened(await share(id))
    await visit('/gone').expect(200)
    for (const page of pages) await server.api().delete(`/pages/${page}`).expect(200)
    await visit('/gone').expect(410)
    await visit('/kept').expect(200, 'changed here')
  })

  it('ends when it expires, is deleted, or the request is closed', async () => {
    const id = await create()
    const short = await opened(await share(id, proposer, { expiresIn: 60 }))
    const link = await share(id)
    const visit = await opened(link)
    await short('/about').expect(200)
    now += 60_000
    await short('/about').expect(404)
    await visit('/about').expect(200)
    await server.api(proposer).patch(`/change-requests/${id}`).send({ state: 'closed' }).expect(200)
    await visit('/about').expect(404)
    assert.deepEqual((await server.api(proposer).get(`/change-requests/${id}/links`).expect(200)).body.data, [])
    await server.api(proposer).post(`/change-requests/${id}/links`).send({}).expect(409)
    await server.api(proposer).patch(`/change-requests/${id}`).send({ state: 'draft' }).expect(200)
    await visit('/about').expect(200)
    await server.api(proposer).delete(`/change-requests/${id}/links/${link.id}`).expect(200)
    await visit('/about').expect(404)
    await server.api(proposer).delete(`/change-requests/${id}/links/${link.id}`).expect(404)
  })

  it('ends with the rights of its maker', async () => {
    const id = await create()
    const mine = await opened(await share(id))
    const reviewer = await server.mint({ label: 'Wanda', scopes: ['write'] })
    const theirs = await opened(await share(id, reviewer.key))
    const admin = server.api((await server.mint({ scopes: ['admin'] })).key)
    await admin.delete(`/keys/${reviewer.id}`).expect(200)
    await theirs('/about').expect(404)
    await mine('/about').expect(200)
    await admin.delete(`/keys/${proposerId}`).expect(200)
    await mine('/about').expect(404)
    proposer = (await server.mint({ label: 'Paul', scopes: ['propose'] })).key
  })

  it('is made, listed and ended by those who see the request, and unknown to all others', async () => {
    const id = await create()
    const { id: linkId } = await share(id)
    const links = `/change-requests/${id}/links`
    for (const scope of ['read', 'propose'] as const) {
      const other = server.api((await server.mint({ label: 'Otto', scopes: [scope] })).key)
      await other.get(links).expect(404)
      const { body } = await other.get(`/sites/${server.site.id}/links`).expect(200)
      assert.ok(!JSON.stringify(body).includes(id))
      await other.delete(`${links}/${linkId}`).expect(scope === 'read' ? 403 : 404)
      await other
        .post(links)
        .send({})
        .expect(scope === 'read' ? 403 : 404)
    }
    const { body } = await server.api().get(`/sites/${server.site.id}/links`).expect(200)
    assert.ok(body.data.some((link: Link) => link.id === linkId && link.changeRequest === id))
    const past = await server
      .api()
      .post(`/sites/${server.site.id}/links`)
      .send({ commit: git(server.gitdir(), 'rev-parse', 'main') })
      .expect(201)
    await server.api().delete(`${links}/${past.body.data.id}`).expect(404)
    await server.api().delete(`${links}/${randomUUID()}`).expect(404)
    await server.api().delete(`/sites/${server.site.id}/links/${linkId}`).expect(200)
  })
})
