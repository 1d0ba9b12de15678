import assert from 'node:assert/strict'
import { createClient, deploy, type DeployOptions, type Deployed } from '../../../src/protocols/client/client.js'
import { folder } from './deploy-files.js'
import { startTestService, type TestService } from '../../support/service.js'

describe('a deploy by the client', () => {
  let service: TestService
  before(async () => (service = await startTestService()))
  after(() => service.stop())

  /** The answer, and the requests that it took. `edit` may change an answer, as a service of another version would. */
  async function run(
    files: Record<string, string>,
    options: DeployOptions = {},
    edit: (answer: Response) => Promise<Response> = async (answer) => answer,
  ): Promise<{ deployed: Deployed; requests: string[] }> {
    const requests: string[] = []
    const client = createClient({
      baseUrl: service.origin,
      key: service.key,
      fetch: async (request) => {
        const path = new URL(request.url).pathname.replace(/[0-9a-f-]{36}/, '{id}').replace('/api/v1', '')
        requests.push(`${request.method} ${path}`)
        return await edit(await fetch(request))
      },
    })
    return { deployed: await deploy(client, await folder(files), options), requests }
  }

  const openDeploys = async () => {
    const { body } = await service.api().get('/deploys').expect(200)
    return (body as { data: { state: string }[] }).data.filter(({ state }) => state === 'open').length
  }
  const count = ({ created, replaced, unchanged, removed, changed }: Deployed) => ({
    created,
    replaced,
    unchanged,
    removed,
    changed,
  })
  const SITE = { 'a.html': '<p>a', 'b.txt': 'b', _redirects: 'nonsense\n' }
  const SAME = { created: 0, replaced: 0, unchanged: 3, removed: 0, changed: false }

  it('takes one request if nothing differs, also the first time with these files', async () => {
    const first = await run(SITE)
    assert.equal(first.deployed.created, 3)
    for (const options of [{}, { message: 'Not deployed before' }, { dryRun: true }]) {
      const { deployed, requests } = await run(SITE, options)
      assert.deepEqual(requests, ['POST /deploys'])
      assert.deepEqual(count(deployed), SAME)
      assert.equal(deployed.commit, null)
      assert.equal(deployed.url, first.deployed.url)
      assert.deepEqual(deployed.warnings, first.deployed.warnings)
    }
    assert.equal(await openDeploys(), 0)
  })

  it('has no preview in a dry run in which nothing differs', async () => {
    await run(SITE)
    const { deployed } = await run(SITE, { dryRun: true })
    assert.deepEqual([deployed.previewUrl, deployed.expiresAt], [null, null])
  })

  it('publishes files again that others changed since', async () => {
    await run({ 'again.txt': 'mine' })
    await run({ 'again.txt': 'theirs' })
    const { deployed, requests } = await run({ 'again.txt': 'mine' })
    assert.deepEqual(requests, ['POST /deploys', 'POST /deploys', 'POST /deploys/{id}/publish'])
    assert.equal(deployed.replaced, 1)
    await service.visit('/again.txt').expect(200, 'mine')
  })

  it('does not undo later changes of others if it is sent again with its key', async () => {
    const send = async () => {
      const files = Object.fromEntries(
        (await folder({ 'key.txt': 'b' })).map(({ name, oid, size }) => [name, { oid, size }]),
      )
      const { body } = await service.api().post('/deploys').set('Idempotency-Key', 'lost').send({ files }).expect(201)
      const { id, state, unchanged } = (body as { data: { id: string; state: string; unchanged?: Deployed } }).data
      return { id, state, isUnchanged: unchanged !== undefined }
    }
    await run({ 'b.txt': 'b' })
    const { id } = await send()
    await service.api().post(`/deploys/${id}/publish`).expect(200)
    assert.deepEqual(await send(), { id, state: 'published', isUnchanged: true })
    for (const theirs of [{ 'key.txt': 'theirs' }, { 'key.txt/folder.txt': 'theirs' }]) {
      await service.api().delete('/files?path=/key.txt')
      await run(theirs)
      assert.deepEqual(await send(), { id, state: 'published', isUnchanged: false })
      await service.api().post(`/deploys/${id}/publish`).expect(200)
      await service.visit(`/${Object.keys(theirs)[0]}`).expect(200, 'theirs')
    }
  })

  it('removes later files in mode replace, and takes one request once nothing differs', async () => {
    const files = { 'only.txt': 'only' }
    await run(files, { mode: 'replace' })
    await run({ 'more.html': '<p>more' })
    assert.equal((await run(files, { mode: 'replace' })).deployed.removed, 1)
    const { deployed, requests } = await run(files, { mode: 'replace' })
    assert.deepEqual([deployed.changed, deployed.unchanged], [false, 1])
    assert.deepEqual(requests, ['POST /deploys'])
  })

  it('is refused by ifHead even if nothing differs', async () => {
    const { deployed } = await run({ 'head.txt': 'one' })
    const ifHead = deployed.commit ?? ''
    const same = await run({ 'head.txt': 'one' }, { ifHead })
    assert.deepEqual([same.deployed.changed, same.requests.length], [false, 1])
    await run({ 'other.txt': 'other' })
    await assert.rejects(run({ 'head.txt': 'one' }, { ifHead }), { code: 'precondition_failed' })
  })

  it('is published by older clients as before, with the answer of a publish', async () => {
    const files = Object.fromEntries((await folder(SITE)).map(({ name, oid, size }) => [name, { oid, size }]))
    const { deployed } = await run(SITE)
    for (const key of ['key-1', 'key-1', 'key-2']) {
      const { body } = await service.api().post('/deploys').set('Idempotency-Key', key).send({ files }).expect(201)
      const { id, missing } = (body as { data: { id: string; missing: string[] } }).data
      assert.deepEqual(missing, [])
      const answer = await service.api().post(`/deploys/${id}/publish`).expect(200)
      assert.deepEqual((answer.body as { data: Deployed }).data, { ...deployed, ...SAME, commit: null, files: [], id })
    }
  })

  it('is forgotten if nothing differed and 20 others of that kind came since', async () => {
    await run(SITE)
    for (let at = 0; at < 25; at++) await run(SITE, { message: `again ${at}` })
    const { body } = await service.api().get('/deploys?limit=100').expect(200)
    const { data } = body as { data: { state: string; commit: string | null; message: string | null }[] }
    const unchanged = data.filter(({ state, commit }) => state === 'published' && commit === null)
    assert.equal(unchanged.length, 20)
    assert.ok(unchanged.some(({ message }) => message === 'again 24'))
    assert.ok(!unchanged.some(({ message }) => message === 'again 4'))
  })

  it('works with a service that does not report unchanged deploys', async () => {
    await run(SITE)
    const silent = async (answer: Response) => {
      const body = (await answer.json()) as { data: { unchanged?: unknown } }
      if (answer.url.endsWith('/deploys')) delete body.data.unchanged
      return Response.json(body, { status: answer.status })
    }
    for (const options of [{}, { dryRun: true }]) {
      const { deployed } = await run(SITE, options, silent)
      assert.deepEqual(count(deployed), SAME)
    }
  })
})
