import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { COMMENTS } from '../../../src/admission/comment-rows.js'
import { RATES } from '../../../src/admission/rate-rows.js'
import { subjectOf } from '../../../src/catalog/requests/comments.js'
import { TOOLS } from '../../../src/protocols/mcp/tools/tool-table.js'
import { PREVIEW_SECONDS } from '../../../src/model/limits.js'
import { KEY_ROUTES } from '../../../src/protocols/api/routes/table.js'
import { SoftBrowser } from '../../support/people/passkey-steps.js'
import { startOwnService, type TestService } from '../../support/service.js'

const NOBODYS = '11111111-1111-4111-8111-111111111111'

interface Link {
  id: string
  url: string
  reviewUrl: string
}

describe('a guest with a review link', () => {
  let server: TestService
  let proposer: string
  let proposerId: string
  let admin: string
  let now = Date.parse('2026-11-21T10:00:00Z')

  beforeEach(async () => {
    server = await startOwnService({ clock: () => new Date(now) })
    ;({ key: proposer, id: proposerId } = await server.mint({ label: 'Paul', scopes: ['propose'] }))
    admin = (await server.mint({ scopes: ['admin'] })).key
    await server.api().put('/pages?path=/about').send({ html: 'live' }).expect(201)
  })
  afterEach(() => server.stop())

  const propose = async (path = '/about'): Promise<string> => {
    const { body } = await server
      .api(proposer)
      .put(`/pages?path=${path}&changeRequest=new`)
      .send({ html: 'proposed' })
      .expect(/"success":true/)
    return body.changeRequest as string
  }
  const share = async (id: string, body: object = {}): Promise<Link> =>
    (await server.api(proposer).post(`/change-requests/${id}/links`).send(body).expect(201)).body.data
  const tokenOf = ({ reviewUrl }: Link) => new URL(reviewUrl).hash.slice(1)
  const allow = () => server.api(admin).patch(`/sites/${server.site.id}`).send({ guestComments: true }).expect(200)
  /** Sends as the service's own page does. */
  const guest = (path: string, body: object) => new SoftBrowser(server).send('post', `/guest${path}`).send(body)
  const codeOf = async (path: string, body: object) => {
    const answer = await guest(path, body)
    return [answer.status, answer.body.error?.code]
  }
  const INVALID = [403, 'review_link_invalid']

  it('sees the preview, the pages and the comments, without the ids of people', async () => {
    const id = await propose()
    await server.api(proposer).post(`/change-requests/${id}/comments`).send({ text: 'Until when?', path: '/about' })
    const link = await share(id)
    const { body, text } = await guest('/review', { token: tokenOf(link) }).expect(200)
    const { previewUrl, pages, mayComment, comments, sentBy } = body.data
    assert.deepEqual([previewUrl, sentBy], [link.url, 'Paul'])
    assert.deepEqual([pages, mayComment], [[{ path: '/about', change: 'modified' }], false])
    assert.deepEqual(
      comments.map(({ text: said, author }: { text: string; author: object }) => [said, author]),
      [['Until when?', { label: 'Paul', kind: 'key' }]],
    )
    for (const hidden of [id, server.site.id, server.workspaceId, proposerId]) assert.ok(!text.includes(hidden), hidden)
    const label = new URL(previewUrl).hostname.split('.', 1)[0] ?? ''
    const entered = await server.visit(new URL(previewUrl).pathname, label).expect(302)
    const cookie = (entered.headers['set-cookie']?.[0] ?? '').split(';', 1)[0] ?? ''
    await server.visit('/about', label).set('Cookie', cookie).expect(200, 'proposed')
  })

  it('sees the pages in frames without a cookie, one host for each commit, as long as the link holds', async () => {
    const id = await propose()
    const link = await share(id)
    const frame = async (token = tokenOf(link)) => {
      const { body } = await guest('/review', { token }).expect(200)
      return new URL(body.data.frameUrl as string).hostname.split('.', 1)[0] ?? ''
    }
    const label = await frame()
    const shown = await server.visit('/about', label).expect(200, 'proposed')
    assert.match(String(shown.headers['content-security-policy']), /^sandbox /)
    assert.equal(await frame(), label)
    const other = await frame(tokenOf(await share(id)))
    assert.notEqual(other, label)
    await server.api(proposer).put(`/pages?path=/about&changeRequest=${id}`).send({ html: 'newer' }).expect(200)
    await server.visit('/about', label).expect(200, 'proposed')
    await server.visit('/about', await frame()).expect(200, 'newer')
    await server.api(proposer).delete(`/change-requests/${id}/links/${link.id}`).expect(200)
    await server.visit('/about', label).expect(410)
    await server.visit('/about', other).expect(200)
    now += PREVIEW_SECONDS * 1000
    await server.visit('/about', other).expect(410)
  })

  it('comments under a name where the site allows it, and answers', async () => {
    const id = await propose()
    const token = tokenOf(await share(id))
    assert.deepEqual(await codeOf('/comments', { token, name: 'Gus', text: 'Hi' }), [403, 'guest_comments_off'])
    await allow()
    const quote = { exact: 'proposed' }
    const { body } = await guest('/comments', { token, name: 'Gus', text: 'Hi', path: '/about', quote }).expect(201)
    assert.deepEqual(body.data.author, { label: 'Gus', kind: 'guest' })
    await guest('/comments', { token, name: 'Gus', text: 'More', inReplyTo: body.data.id }).expect(201)
    const { body: listed } = await server.api(proposer).get(`/change-requests/${id}/comments`).expect(200)
    assert.deepEqual(
      listed.data.map(({ author, mine }: { author: object; mine: boolean }) => [author, mine]),
      Array.from({ length: 2 }, () => [{ label: 'Gus', kind: 'guest', userId: null }, false]),
    )
    for (const wrong of [{ name: '' }, { name: 'a\nb' }, { name: 'x'.repeat(101) }, { text: ' ' }, { resolve: true }])
      assert.deepEqual(await codeOf('/comments', { token, name: 'Gus', text: 'x', ...wrong }), [400, 'invalid_body'])
    assert.deepEqual(await codeOf('/comments', { token, name: 'Gus', text: 'x', path: '/no' }), [404, 'file_not_found'])
    const { body: audit } = await server.api(admin).get(`/audit?target=${body.data.id}`).expect(200)
    assert.deepEqual([audit.data[0].action, audit.data[0].actor.kind], ['comment.create', 'nobody'])
  })

  it('is let in no more once the link expired or ended, or with the request, or with the rights of its maker', async () => {
    const id = await propose()
    const expiring = tokenOf(await share(id, { expiresIn: 60 }))
    const ended = await share(id)
    const token = tokenOf(await share(id))
    for (const one of [expiring, tokenOf(ended), token]) await guest('/review', { token: one }).expect(200)
    now += 60_000
    assert.deepEqual(await codeOf('/review', { token: expiring }), INVALID)
    await server.api(proposer).delete(`/change-requests/${id}/links/${ended.id}`).expect(200)
    assert.deepEqual(await codeOf('/review', { token: tokenOf(ended) }), INVALID)
    await server.api(proposer).patch(`/change-requests/${id}`).send({ state: 'closed' }).expect(200)
    assert.deepEqual(await codeOf('/review', { token }), INVALID)
    await server.api(proposer).patch(`/change-requests/${id}`).send({ state: 'draft' }).expect(200)
    await guest('/review', { token }).expect(200)
    await server.api(admin).delete(`/keys/${proposerId}`).expect(200)
    assert.deepEqual(await codeOf('/review', { token }), INVALID)
    await allow()
    assert.deepEqual(await codeOf('/comments', { token, name: 'Gus', text: 'x' }), INVALID)
  })

  it('needs the secret of the review: that of the preview, which hosted pages are near, is none', async () => {
    const link = await share(await propose())
    const preview = /\/\.open\/([^/]+)\//.exec(link.url)?.[1] ?? ''
    const [linkId = '', secret = ''] = tokenOf(link).split('.')
    assert.notEqual(preview, secret)
    for (const token of [`${linkId}.${preview}`, `${NOBODYS}.${secret}`, secret, preview, 'x', `${linkId}.`])
      assert.deepEqual(await codeOf('/review', { token }), INVALID, token)
    const label = new URL(link.url).hostname.split('.', 1)[0] ?? ''
    await server.visit(`/.open/${secret}/`, label).expect(404)
    await server.visit('/guest/review', label).expect(404)
    const origin = new URL(link.url).origin
    const foreign = await fetch(`${server.origin}/guest/review`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: origin, 'Sec-Fetch-Site': 'cross-site' },
      body: JSON.stringify({ token: tokenOf(link) }),
    })
    assert.equal(foreign.status, 403)
  })

  it('sees one change request alone, and no route and no tool takes the secrets', async () => {
    const [id, other] = [await propose(), await propose('/other')]
    const link = await share(id)
    const elsewhere = await share(other)
    const { text } = await guest('/review', { token: tokenOf(link) }).expect(200)
    assert.ok(!text.includes('/other'))
    const [, secret = ''] = tokenOf(link).split('.')
    const mixed = `${elsewhere.id}.${secret}`
    assert.deepEqual(await codeOf('/review', { token: mixed }), INVALID)
    const preview = /\/\.open\/([^/]+)\//.exec(link.url)?.[1] ?? ''
    const ways = [tokenOf(link), secret, preview].flatMap((words): Record<string, string>[] => [
      { Authorization: `Bearer ${words}` },
      { Cookie: `session=${words}; link=${words}`, 'Sec-Fetch-Site': 'same-origin' },
    ])
    const ask = async (path: string, method: string, body: object) => {
      const type = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
      const sent = method === 'GET' ? {} : { body: JSON.stringify(body) }
      const answers = ways.map((way) => fetch(server.origin + path, { method, headers: { ...type, ...way }, ...sent }))
      for (const { status } of await Promise.all(answers)) assert.equal(status, 401, `${method} ${path}`)
    }
    for (const { method, path } of KEY_ROUTES)
      await ask(`/api/v1${path.replace('{id}', id).replaceAll(/\{\w+\}/g, NOBODYS)}`, method.toUpperCase(), {})
    for (const { name } of TOOLS)
      await ask('/mcp', 'POST', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } })
    for (const path of ['/session', '/session/invitation', '/session/invitation/accept']) {
      const body = { token: tokenOf(link), ...(path.endsWith('accept') && { name: 'Gus' }) }
      assert.equal((await new SoftBrowser(server).send('post', path).send(body)).status, 403, path)
    }
    const git = await fetch(`${server.origin}/git/${server.site.slug}.git/info/refs?service=git-upload-pack`, {
      headers: { Authorization: `Basic ${Buffer.from(`x:${secret}`).toString('base64')}` },
    })
    assert.equal(git.status, 401)
  })

  for (const [name, who] of [
    ['guests-of-address', '127.0.0.1'],
    ['guests', 'all'],
  ] as const)
    it(`hears 429 past the limit ${name}`, async () => {
      const token = tokenOf(await share(await propose()))
      await guest('/review', { token }).expect(200)
      const { admission } = server.server.service.services
      for (let at = 1; at < RATES[name].perMinute(); at += 1) await admission.rate(name).take(who)
      const answer = await guest('/review', { token })
      assert.deepEqual([answer.status, answer.body.error.code], [429, 'too_many_requests'])
      assert.match(String(answer.headers['retry-after']), /^[1-9]\d?$/)
    })

  it('writes so many comments by one link and day, and no more', async () => {
    const id = await propose()
    const token = tokenOf(await share(id, { expiresIn: 172_800 }))
    await allow()
    const { comments } = server.server.service.services.catalog
    await guest('/comments', { token, name: 'Gus', text: 'first' }).expect(201)
    const [first] = await comments.list(subjectOf({ request: id }), { limit: 1 })
    for (let at = 1; at < COMMENTS.link.quota; at += 1)
      assert.ok(await comments.create({ ...(first ?? assert.fail()), id: randomUUID() }))
    assert.deepEqual(await codeOf('/comments', { token, name: 'Gus', text: 'x' }), [409, 'too_many_comments'])
    now += 24 * 3600 * 1000
    await guest('/comments', { token, name: 'Gus', text: 'x' }).expect(201)
  })
})
