import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { signInAs, type SignedIn } from '../../support/people/sign-in-as.js'
import { startOwnService, type TestService } from '../../support/service.js'

interface Row {
  id: string
  title: string
  head: string
}

describe('the change requests that wait for somebody', () => {
  let server: TestService
  let ada: SignedIn
  let eva: SignedIn
  let vera: SignedIn

  before(async () => {
    server = await startOwnService({ env: { MAX_REQUESTS_PER_MINUTE: '0' } })
    ada = await signInAs(server, 'author', { name: 'Ada' })
    eva = await signInAs(server, 'editor', { name: 'Eva' })
    vera = await signInAs(server, 'viewer', { name: 'Vera' })
  })
  after(() => server.stop())

  const propose = async (who: SignedIn, title: string, site = server.site.id): Promise<Row> => {
    const body = { title, state: 'review' }
    return (await who.send('post', `/sites/${site}/change-requests`).send(body).expect(201)).body.data
  }
  const titles = async (who: SignedIn, query = '?waitingFor=me') => {
    const { body } = await who.send('get', `/change-requests${query}`).expect(200)
    return body.data.map(({ title }: Row) => title) as string[]
  }
  const count = async (who: SignedIn) =>
    (await who.send('get', '/change-request-count').expect(200)).body.data.waitingForMe as number
  const write = (who: SignedIn, id: string) =>
    who.send('put', `/pages?path=/hours&changeRequest=${id}`).send({ html: `${Math.random()}` })

  it('are those under review that the person may approve and has not, until the person approves the head', async () => {
    const { id } = await propose(ada, 'Hours')
    await propose(eva, 'By Eva')
    assert.deepEqual([await titles(eva), await count(eva)], [['Hours'], 1])
    assert.deepEqual([await titles(ada), await titles(vera), await count(vera)], [[], [], 0])
    const head = (await ada.send('get', `/change-requests/${id}`)).body.data.head as string
    await eva.send('post', `/change-requests/${id}/approvals`).send({ commit: head }).expect(200)
    assert.deepEqual([await titles(eva), await count(eva)], [[], 0])
    await write(ada, id).expect(201)
    assert.deepEqual(await titles(eva), ['Hours'])
    await ada.send('patch', `/change-requests/${id}`).send({ state: 'closed' }).expect(200)
    assert.deepEqual(await titles(eva), [])
  })

  it('are the drafts of an author for which a reviewer asked for changes, until a review is asked for again', async () => {
    const { id } = await propose(ada, 'Menu')
    const ask = { text: 'Name the soup.', asksForChanges: true }
    await eva.send('post', `/change-requests/${id}/comments`).send(ask).expect(201)
    assert.deepEqual([await titles(ada), await count(ada), await titles(eva)], [['Menu'], 1, []])
    await ada.send('patch', `/change-requests/${id}`).send({ state: 'review' }).expect(200)
    assert.deepEqual([await titles(ada), await titles(eva)], [[], ['Menu']])
    await ada.send('patch', `/change-requests/${id}`).send({ state: 'closed' }).expect(200)
  })

  it('are of all sites that the caller sees, the newest first, in parts, and leave out a site that cannot be read', async () => {
    const { provisioner } = server.server.service.services
    const other = await provisioner.createSite(server.workspaceId, 'second-of-reviews')
    const olaf = await signInAs(server, 'editor', { name: 'Olaf', sites: [other.id] })
    await propose(ada, 'Here')
    await propose(ada, 'There', other.id)
    assert.deepEqual((await titles(eva)).toSorted(), ['Here', 'There'])
    assert.deepEqual([await titles(olaf), await count(olaf)], [['There'], 1])
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const { body } = await eva.send('get', `/change-requests?waitingFor=me&limit=1${cursor}`).expect(200)
      seen.push(...body.data.map(({ title }: Row) => title))
      if (body.paging.nextCursor === null) break
      cursor = `&cursor=${body.paging.nextCursor}`
    }
    assert.deepEqual(seen.toSorted(), ['Here', 'There'])
    assert.deepEqual((await titles(ada, '?author=me&state=review')).toSorted(), ['Here', 'There'])
    const workspace = await server.inNewWorkspace()
    const { body } = await workspace.api().get('/change-requests?state=all').expect(200)
    assert.deepEqual(body.data, [])
    rmSync(join(server.dataDir, 'drafts', `${other.slug}.git`, 'HEAD'))
    rmSync(join(server.dataDir, `${other.slug}.git`, 'HEAD'))
    assert.ok((await titles(eva)).includes('Here'))
  })

  it('are counted up to 100', async () => {
    const { changeRequests } = server.server.service.services.catalog
    for (let at = 0; at < 101; at += 1) {
      const by = { author: 'CI', madeBy: 'key k', userId: null }
      const id = `${String(at).padStart(8, '0')}-1111-4111-8111-111111111111`
      await changeRequests.create({ id, siteId: server.site.id, title: 'Many', state: 'review', ...by })
    }
    assert.equal(await count(eva), 100)
  })
})
