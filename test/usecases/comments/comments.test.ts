import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { CommentData } from '../../../schemas/comments.js'
import { COMMENTS } from '../../../src/admission/comment-rows.js'
import { subjectOf } from '../../../src/catalog/requests/comments.js'
import { git } from '../../support/git.js'
import { signInAs, type SignedIn } from '../../support/people/sign-in-as.js'
import { startTestService, type TestService } from '../../support/service.js'

interface Request {
  id: string
  head: string
  state: string
  changesAsked: boolean
  openThreads: number
}

describe('comments on a change request', () => {
  let server: TestService
  let ada: SignedIn
  let eva: SignedIn
  let paul: SignedIn

  before(async () => {
    server = await startTestService()
    ada = await signInAs(server, 'author', { name: 'Ada' })
    eva = await signInAs(server, 'editor', { name: 'Eva' })
    paul = await signInAs(server, 'author', { name: 'Paul' })
    await server.api().put('/pages?path=/live').send({ html: 'live' })
  })
  after(() => server.stop())

  /** Makes a request of Ada that changes `/hours`. */
  const propose = async (): Promise<string> => {
    const { body } = await ada.send('post', `/sites/${server.site.id}/change-requests`).send({}).expect(201)
    const { id } = body.data as Request
    await write(id, 'one')
    return id
  }
  const write = (id: string, html: string) =>
    ada
      .send('put', `/pages?path=/hours&changeRequest=${id}`)
      .send({ html })
      .expect(/"success":true/)
  const read = async (id: string) => (await ada.send('get', `/change-requests/${id}`).expect(200)).body.data as Request
  const comment = async (who: SignedIn, id: string, body: object): Promise<CommentData> =>
    (await who.send('post', `/change-requests/${id}/comments`).send(body).expect(201)).body.data
  const list = async (who: SignedIn, id: string, query = ''): Promise<CommentData[]> =>
    (await who.send('get', `/change-requests/${id}/comments${query}`).expect(200)).body.data
  const refused = async (who: SignedIn, id: string, body: object) => {
    const answer = await who.send('post', `/change-requests/${id}/comments`).send(body)
    return [answer.status, answer.body.error?.code]
  }

  it('stay at the commit and the place that they were made on, and are older once the request moved on', async () => {
    const id = await propose()
    const { head } = await read(id)
    const quote = { exact: 'one', prefix: '<p>' }
    const made = await comment(eva, id, { text: 'Until when?', path: '/hours', quote, lines: { from: 1, to: 1 } })
    assert.deepEqual(
      [made.commit, made.outdated, made.path, made.quote, made.lines, made.number, made.changeRequest, made.page],
      [head, false, '/hours', quote, { from: 1, to: 1 }, 1, id, null],
    )
    assert.deepEqual(made.author, { label: 'Eva', kind: 'person', userId: eva.userId })
    await write(id, 'two')
    const [older] = await list(ada, id)
    assert.deepEqual([older?.commit, older?.outdated, older?.mine], [head, true, false])
    const late = await comment(eva, id, { text: 'I looked at this one.', commit: head })
    assert.deepEqual([late.commit, late.outdated], [head, true])
  })

  it('are seen and written by those who see the request, and unknown to all others', async () => {
    const id = await propose()
    const { id: made } = await comment(ada, id, { text: 'Mine' })
    await paul.send('get', `/change-requests/${id}/comments`).expect(404)
    assert.deepEqual(await refused(paul, id, { text: 'x' }), [404, 'change_request_not_found'])
    for (const method of ['patch', 'delete'] as const) {
      const request = paul.send(method, `/comments/${made}`)
      const { body } = await (method === 'patch' ? request.send({ resolved: true }) : request).expect(404)
      assert.equal(body.error.code, 'comment_not_found')
    }
    const reader = server.api((await server.mint({ scopes: ['read'] })).key)
    await reader.get(`/change-requests/${id}/comments`).expect(404)
    assert.equal((await list(eva, id)).length, 1)
  })

  it('are answered, resolved and opened again, with answers where their thread is', async () => {
    const id = await propose()
    const first = await comment(eva, id, { text: 'Until when?', path: '/hours' })
    const answer = await comment(ada, id, { text: 'Until 6.', inReplyTo: first.id })
    const deeper = await comment(eva, id, { text: 'Thanks.', inReplyTo: answer.id, resolve: true })
    assert.deepEqual([answer.inReplyTo, deeper.inReplyTo], [first.id, first.id])
    assert.equal(deeper.resolvedBy, 'Eva')
    assert.deepEqual(
      (await list(ada, id)).map(({ number, resolvedBy }) => [number, resolvedBy]),
      [
        [1, 'Eva'],
        [2, 'Eva'],
        [3, 'Eva'],
      ],
    )
    assert.deepEqual(await list(ada, id, '?open=true'), [])
    await ada.send('patch', `/comments/${answer.id}`).send({ resolved: false }).expect(200)
    assert.equal((await list(ada, id, '?open=true&path=/hours')).length, 3)
    assert.equal((await read(id)).openThreads, 1)
    for (const body of [
      { text: 'x', resolve: true },
      { text: 'x', inReplyTo: first.id, path: '/hours' },
      { text: 'x', inReplyTo: first.id, asksForChanges: true },
      { text: 'x', path: '/hours', lines: { from: 2, to: 1 } },
      { text: ' \n' },
      { text: 'x'.repeat(4_001) },
    ])
      assert.deepEqual(await refused(eva, id, body), [400, 'invalid_body'], JSON.stringify(body).slice(0, 80))
    const other = await propose()
    assert.deepEqual(await refused(eva, other, { text: 'x', inReplyTo: first.id }), [404, 'comment_not_found'])
    assert.deepEqual(await refused(eva, id, { text: 'x', path: '/nowhere' }), [404, 'file_not_found'])
    assert.deepEqual(await refused(eva, id, { text: 'x', commit: '1'.repeat(40) }), [404, 'version_not_found'])
    assert.deepEqual(await refused(eva, id, { text: 'x', path: '/a//b' }), [400, 'invalid_path'])
  })

  it('have a text that its author alone changes, and are deleted by their author or an editor', async () => {
    const id = await propose()
    const mine = await comment(ada, id, { text: 'Wrogn' })
    const { body } = await ada.send('patch', `/comments/${mine.id}`).send({ text: 'Wrong' }).expect(200)
    assert.deepEqual([body.data.text, typeof body.data.editedAt, body.data.number], ['Wrong', 'string', 1])
    const refusal = await eva.send('patch', `/comments/${mine.id}`).send({ text: 'Right' }).expect(403)
    assert.equal(refusal.body.error.code, 'comment_of_another')
    const theirs = await comment(eva, id, { text: 'Theirs' })
    await ada.send('delete', `/comments/${theirs.id}`).expect(403)
    await comment(eva, id, { text: 'Yes', inReplyTo: mine.id })
    await ada.send('delete', `/comments/${mine.id}`).expect(409)
    await eva.send('delete', `/comments/${mine.id}`).expect(200)
    assert.deepEqual(
      (await list(ada, id)).map(({ text }) => text),
      ['Theirs'],
    )
  })

  it('ask for changes, which gives a request under review back to its author', async () => {
    const id = await propose()
    await ada.send('patch', `/change-requests/${id}`).send({ state: 'review' }).expect(200)
    assert.deepEqual(await refused(ada, id, { text: 'x', asksForChanges: true }), [403, 'insufficient_scope'])
    const asked = await comment(eva, id, { text: 'Name the days.', asksForChanges: true })
    assert.equal(asked.asksForChanges, true)
    const after = await read(id)
    assert.deepEqual([after.state, after.changesAsked], ['draft', true])
    await ada.send('patch', `/change-requests/${id}`).send({ state: 'review' }).expect(200)
    assert.equal((await read(id)).changesAsked, false)
  })

  it('are refused on a closed request, and can still be resolved there', async () => {
    const id = await propose()
    const { id: made } = await comment(eva, id, { text: 'Too late?' })
    await ada.send('patch', `/change-requests/${id}`).send({ state: 'closed' }).expect(200)
    assert.deepEqual(await refused(eva, id, { text: 'x' }), [409, 'change_request_closed'])
    await eva.send('patch', `/comments/${made}`).send({ resolved: true }).expect(200)
    assert.equal((await list(eva, id)).length, 1)
  })

  it('are written once with one Idempotency-Key', async () => {
    const id = await propose()
    const send = () =>
      eva.send('post', `/change-requests/${id}/comments`).set('idempotency-key', `k-${id}`).send({ text: 'Once' })
    const [first, second] = [await send().expect(201), await send().expect(201)]
    assert.deepEqual(second.body, first.body)
    assert.equal((await list(eva, id)).length, 1)
  })

  it('are refused where there are as many as may be', async () => {
    const id = await propose()
    const { comments } = server.server.service.services.catalog
    const { head } = await read(id)
    const row = { siteId: server.site.id, subject: subjectOf({ request: id }), commit: head, path: null, place: null }
    const by = { text: 'x', inReplyTo: null, author: 'Ada', madeBy: 'key k', userId: null }
    for (let at = 0; at < COMMENTS.subject.quota; at += 1)
      assert.ok(await comments.create({ id: randomUUID(), ...row, ...by }))
    assert.deepEqual(await refused(ada, id, { text: 'x' }), [409, 'too_many_comments'])
  })

  it('are listed in parts', async () => {
    const id = await propose()
    for (const text of ['a', 'b', 'c']) await comment(ada, id, { text })
    const { body } = await ada.send('get', `/change-requests/${id}/comments?limit=2`).expect(200)
    assert.deepEqual(
      body.data.map(({ text }: CommentData) => text),
      ['a', 'b'],
    )
    const { body: rest } = await ada
      .send('get', `/change-requests/${id}/comments?cursor=${body.paging.nextCursor}`)
      .expect(200)
    assert.deepEqual(
      rest.data.map(({ text }: CommentData) => text),
      ['c'],
    )
  })

  it('are in the audit log, without their text', async () => {
    const id = await propose()
    const made = await comment(eva, id, { text: 'xylophone' })
    await eva.send('patch', `/comments/${made.id}`).send({ resolved: true }).expect(200)
    await eva.send('delete', `/comments/${made.id}`).expect(200)
    const owner = await signInAs(server, 'owner')
    const { body, text } = await owner.send('get', `/audit?target=${made.id}`).expect(200)
    assert.deepEqual(body.data.map(({ action }: { action: string }) => action).toSorted(), [
      'comment.change',
      'comment.create',
      'comment.delete',
    ])
    assert.ok(!text.includes('xylophone'))
  })
})

describe('comments on a page', () => {
  let server: TestService
  let ada: SignedIn
  let page: string

  before(async () => {
    server = await startTestService()
    ada = await signInAs(server, 'author', { name: 'Ada' })
    const { body } = await server.api().post('/pages').send({ path: '/spoken-of', html: 'one' }).expect(201)
    page = body.data.id as string
  })
  after(() => server.stop())

  const list = async () => (await ada.send('get', `/pages/${page}/comments`).expect(200)).body.data as CommentData[]

  it('stay at their version, are older once there is another, and leave git and visitors alone', async () => {
    const main = git(server.gitdir(), 'rev-parse', 'main')
    const { body } = await ada
      .send('post', `/pages/${page}/comments`)
      .send({ text: 'xylophone', quote: { exact: 'one' } })
      .expect(201)
    assert.deepEqual([body.data.page, body.data.changeRequest, body.data.outdated], [page, null, false])
    assert.equal(git(server.gitdir(), 'rev-parse', 'main'), main)
    await server.api().put(`/pages/${page}/content`).send({ html: 'two' }).expect(200)
    assert.equal((await list())[0]?.outdated, true)
    const other = await server.api().post('/pages').send({ path: '/beside', html: 'x' }).expect(201)
    assert.ok(other.body.success)
    const late = await ada
      .send('post', `/pages/${page}/comments`)
      .send({ text: 'of the first', commit: body.data.commit })
      .expect(201)
    assert.deepEqual([late.body.data.commit, late.body.data.outdated], [body.data.commit, true])
    await ada
      .send('post', `/pages/${page}/comments`)
      .send({ text: 'x', commit: '1'.repeat(40) })
      .expect(404)
    const { text } = await server.visit('/spoken-of').expect(200)
    assert.ok(!text.includes('xylophone'))
  })

  it('are written by those who may propose, and read by all who read the page', async () => {
    const viewer = await signInAs(server, 'viewer')
    await viewer.send('get', `/pages/${page}/comments`).expect(200)
    await viewer.send('post', `/pages/${page}/comments`).send({ text: 'x' }).expect(403)
    const stranger = await server.server.service.services.provisioner.createWorkspace('Others', 'others-of-comments')
    const { key } = await server.mint({ workspaceId: stranger.workspace.id, scopes: ['admin'] })
    await server.api(key).get(`/pages/${page}/comments`).expect(404)
  })

  it('are of one site, also where another has a page with the same id', async () => {
    const { comments } = server.server.service.services.catalog
    const subject = subjectOf({ siteId: server.site.id, page })
    assert.equal((await comments.list(subject, { limit: 10 })).length, (await list()).length)
    const elsewhere = subjectOf({ siteId: '11111111-1111-4111-8111-111111111111', page })
    assert.deepEqual(await comments.list(elsewhere, { limit: 10 }), [])
  })
})
