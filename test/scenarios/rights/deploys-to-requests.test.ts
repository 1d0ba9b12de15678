import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createClient, deploy, type DeployFile, dataOf, type Refusal } from '../../../src/protocols/client/client.js'
import { git } from '../../support/git.js'
import { startTestService, type TestService } from '../../support/service.js'

const fileOf = (name: string, text: string): DeployFile => {
  const bytes = Buffer.from(text)
  const oid = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
  return { name, oid, size: bytes.length, read: () => new Blob([bytes]) }
}

describe('a deploy to a change request', () => {
  let server: TestService
  let proposer: string
  let writer: string

  before(async () => {
    server = await startTestService()
    proposer = (await server.mint({ label: 'Paul', scopes: ['propose'] })).key
    writer = (await server.mint({ label: 'Wanda', scopes: ['write'] })).key
  })
  after(() => server.stop())

  const clientOf = (key: string) => createClient({ baseUrl: server.origin, key })
  const main = () => git(server.gitdir(), 'rev-parse', 'main')
  const begin = async (key = proposer): Promise<string> => {
    const { body } = await server.api(key).post(`/sites/${server.site.id}/change-requests`).send({}).expect(201)
    return (body as { data: { id: string } }).data.id
  }
  const textAt = async (path: string, changeRequest: string): Promise<string> => {
    const answer = await clientOf(proposer).GET('/files/text', { params: { query: { path, changeRequest } } })
    return dataOf(answer).content ?? ''
  }
  /** Opens a deploy of one file for main, with its bytes sent. */
  const openForMain = async (name: string, text: string): Promise<string> => {
    const { oid, size } = fileOf(name, text)
    const { body } = await server
      .api(writer)
      .post('/deploys')
      .send({ files: { [name]: { oid, size } } })
      .expect(201)
    const { id } = (body as { data: { id: string } }).data
    await server
      .api(writer)
      .put(`/deploys/${id}/blobs/${oid}`)
      .set('content-type', 'application/octet-stream')
      .send(text)
      .expect(200)
    return id
  }

  it('is made by a key that may only propose, while main stays as it is', async () => {
    const before = main()
    const changeRequest = await begin()
    const files = [fileOf('plan.txt', 'first'), fileOf('plan.html', '<h1>Plan</h1>')]
    const deployed = await deploy(clientOf(proposer), files, { changeRequest })
    assert.deepEqual([deployed.changed, deployed.created], [true, 2])
    assert.equal(await textAt('/plan.txt', changeRequest), 'first')
    assert.equal(main(), before)
    await server.visit('/plan').expect(404)
  })

  it('sends only what the request lacks, and compares with the request and not with main', async () => {
    await deploy(clientOf(writer), [fileOf('both.txt', 'live')])
    const changeRequest = await begin()
    const proposed = await deploy(clientOf(proposer), [fileOf('both.txt', 'proposed')], { changeRequest })
    assert.equal(proposed.replaced, 1)
    const again = await deploy(clientOf(proposer), [fileOf('both.txt', 'proposed')], { changeRequest })
    assert.equal(again.changed, false)
    const back = await deploy(clientOf(proposer), [fileOf('both.txt', 'live')], { changeRequest })
    assert.equal(back.replaced, 1)
    assert.equal(await textAt('/both.txt', changeRequest), 'live')
  })

  it('removes with "replace" what the request has more than the folder, and shows it in a dry run first', async () => {
    const changeRequest = await begin()
    const client = clientOf(proposer)
    await deploy(client, [fileOf('docs/a.txt', 'a'), fileOf('docs/b.txt', 'b')], { changeRequest })
    const options = { changeRequest, mode: 'replace', below: 'docs' } as const
    const shown = await deploy(client, [fileOf('docs/a.txt', 'a')], { ...options, dryRun: true })
    assert.deepEqual([shown.removed, await textAt('/docs/b.txt', changeRequest)], [1, 'b'])
    assert.equal((await deploy(client, [fileOf('docs/a.txt', 'a')], options)).removed, 1)
    await assert.rejects(textAt('/docs/b.txt', changeRequest), { code: 'file_not_found' })
  })

  it('is not found without its request, by another request, or in the list of deploys', async () => {
    const changeRequest = await begin()
    const other = await begin()
    const { oid, size } = fileOf('hidden.txt', 'hidden')
    const { body } = await server
      .api(proposer)
      .post(`/deploys?changeRequest=${changeRequest}`)
      .send({ files: { 'hidden.txt': { oid, size } } })
      .expect(201)
    const { id } = body.data as { id: string }
    await server.api(writer).get(`/deploys/${id}`).expect(404)
    await server.api(writer).post(`/deploys/${id}/publish`).expect(404)
    await server.api(proposer).get(`/deploys/${id}?changeRequest=${other}`).expect(404)
    const listed = await server.api(writer).get('/deploys').expect(200)
    assert.ok(!JSON.stringify(listed.body).includes(id))
    await server.api(proposer).delete(`/deploys/${id}`).expect(403)
    await server.api(proposer).delete(`/deploys/${id}?changeRequest=${changeRequest}`).expect(200)
  })

  it('leaves the deploys of others to main alone', async () => {
    const id = await openForMain('own.txt', 'own')
    const changeRequest = await begin()
    await server.api(proposer).post(`/deploys/${id}/publish?changeRequest=${changeRequest}`).expect(404)
    await server.api(proposer).delete(`/deploys/${id}?changeRequest=${changeRequest}`).expect(404)
    await server.api(writer).post(`/deploys/${id}/publish`).expect(200)
  })

  it('takes no room of deploys to main', async () => {
    for (let at = 0; at < 5; at += 1) {
      const { oid, size } = fileOf('x', `many ${at}`)
      const changeRequest = await begin()
      const files = { [`many-${at}.txt`]: { oid, size } }
      await server.api(proposer).post(`/deploys?changeRequest=${changeRequest}`).send({ files }).expect(201)
    }
    const id = await openForMain('room.txt', 'room')
    await server.api(writer).delete(`/deploys/${id}`).expect(200)
  })

  it('may begin for main, is published to a new request once, and then never to main', async () => {
    const before = main()
    const id = await openForMain('later.txt', 'later')
    const publish = () => server.api(writer).post(`/deploys/${id}/publish?changeRequest=new`).expect(200)
    const first = await publish()
    const { changeRequest, data } = first.body as { changeRequest: string; data: { commit: string } }
    assert.equal(
      await textAt('/later.txt', changeRequest).catch((error: Refusal) => error.code),
      'change_request_not_found',
    )
    assert.deepEqual((await publish()).body, first.body)
    await server.api(writer).post(`/deploys/${id}/publish`).expect(404)
    assert.equal(main(), before)
    assert.ok(!JSON.stringify((await server.api(writer).get('/deploys')).body).includes(data.commit))
    // The same files go live by a deploy of their own.
    assert.equal((await deploy(clientOf(writer), [fileOf('later.txt', 'later')])).created, 1)
  })

  it('makes no request where nothing differs', async () => {
    await deploy(clientOf(writer), [fileOf('same.txt', 'same')])
    const { oid, size } = fileOf('same.txt', 'same')
    const opened = await server
      .api(writer)
      .post('/deploys')
      .send({ files: { 'same.txt': { oid, size } } })
      .expect(201)
    const { id } = opened.body.data as { id: string }
    const { body } = await server.api(writer).post(`/deploys/${id}/publish?changeRequest=new`).expect(200)
    assert.deepEqual([body.data.changed, body.changeRequest], [false, undefined])
  })
})
