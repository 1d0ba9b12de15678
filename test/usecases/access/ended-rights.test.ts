import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connectAgent } from '../../support/people/connect-agent.js'
import { signInAs, type SignedIn } from '../../support/people/sign-in-as.js'
import { startOwnService, type TestService } from '../../support/service.js'

interface Answer {
  status: number
  text: string
}

describe('a request whose caller loses a right while its body comes', () => {
  let service: TestService
  let other: TestService
  let owner: SignedIn

  before(async () => {
    service = await startOwnService()
    other = await service.inNewWorkspace()
    owner = await signInAs(service, 'owner', { name: 'Olga' })
  })
  after(() => service.stop())

  /** Sends a half of the body, lets something happen, and sends the rest. */
  async function slowly(
    [method, path]: readonly [string, string],
    headers: Record<string, string>,
    body: string | object,
    happen: () => PromiseLike<unknown>,
  ): Promise<Answer> {
    const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
    const type = typeof body === 'string' ? 'application/octet-stream' : 'application/json'
    const all = { 'Content-Type': type, 'Content-Length': `${bytes.length}`, ...headers }
    const sent = request(`${service.origin}${path}`, { method, agent: false, headers: all })
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>
    sent.write(bytes.subarray(0, 5))
    // The service takes requests in the order in which they come.
    for (let i = 0; i < 2; i++) await owner.send('get', '/me').expect(200)
    await happen()
    sent.end(bytes.subarray(5))
    const [answer] = await answered
    let text = ''
    for await (const chunk of answer) text += String(chunk)
    return { status: answer.statusCode ?? 0, text }
  }
  const asPerson = ({ cookie }: SignedIn) => ({ Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' })
  const demote = ({ userId }: SignedIn) =>
    owner.send('patch', `/members/${userId}`).send({ role: 'viewer' }).expect(200)
  const remove = ({ userId }: SignedIn) => owner.send('delete', `/members/${userId}`).expect(200)

  it('makes no key', async () => {
    const admin = await signInAs(service, 'admin')
    const key = { label: 'x', scopes: ['admin'], personal: false }
    const { status, text } = await slowly(['POST', '/api/v1/keys'], asPerson(admin), key, () => demote(admin))
    assert.deepEqual([status, text.includes('insufficient_scope')], [403, true], text)
  })

  it('publishes nothing, also not in another workspace of the person', async () => {
    for (const lose of [demote, remove]) {
      const editor = await signInAs(service, 'editor')
      const { members } = service.server.service.services.catalog
      const elsewhere = { workspaceId: other.workspaceId, userId: editor.userId, sites: null, source: 'hand' }
      await members.give({ ...elsewhere, role: 'owner' })
      const path = `/slow-${editor.userId}`
      const body = { operations: [{ op: 'createPage', path, html: 'x' }] }
      const { status, text } = await slowly(['POST', '/api/v1/batch'], asPerson(editor), body, () => lose(editor))
      assert.ok(status === 403 || status === 404, text)
      for (const each of [service, other]) await each.visit(path).expect(404)
    }
  })

  it('uploads nothing in a session that an admin ended', async () => {
    const editor = await signInAs(service, 'editor')
    const end = () => owner.send('delete', `/members/${editor.userId}/sessions`).expect(200)
    const { status } = await slowly(['PUT', '/api/v1/files?path=/slow.txt'], asPerson(editor), 'some bytes', end)
    assert.equal(status, 401)
    await service.visit('/slow.txt').expect(404)
  })

  it('calls no tool', async () => {
    const editor = await signInAs(service, 'editor')
    const { access_token: token } = await connectAgent(service, editor)
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'publish_page', arguments: { path: '/by-tool', html: 'x' } },
    }
    const fields = { Authorization: `Bearer ${token}`, Accept: 'application/json, text/event-stream' }
    const { text } = await slowly(['POST', '/mcp'], fields, call, () => remove(editor))
    assert.match(text, /valid API key/)
    await service.visit('/by-tool').expect(404)
  })

  it('goes on if the caller still may', async () => {
    const admin = await signInAs(service, 'admin')
    const page = { path: '/still', html: 'x' }
    const toEditor = () => owner.send('patch', `/members/${admin.userId}`).send({ role: 'editor' }).expect(200)
    const { status, text } = await slowly(['POST', '/api/v1/pages'], asPerson(admin), page, toEditor)
    assert.equal(status, 201, text)
  })
})
