import assert from 'node:assert/strict'
import { createClient, deploy, type Deployed } from '../../../src/protocols/client/client.js'
import { LateAnswer } from '../../../src/cli/connection/service-fetch.js'
import { git } from '../../support/git.js'
import { startTestService, type TestService } from '../../support/service.js'
import { folder } from './deploy-files.js'

const PRINCIPAL = { kind: 'key', label: 'Test key', scopes: ['write'], sites: null, expiresAt: null } as const

describe('a deploy of files that are published more than once', () => {
  let service: TestService
  before(async () => (service = await startTestService('repeated')))
  after(() => service.stop())

  /** The client of a person who publishes to one site, whose requests may be held or lost on their way. */
  const clientOf = (siteId?: string, send: (request: Request) => Promise<Response> = (request) => fetch(request)) =>
    createClient({ baseUrl: service.origin, key: service.key, ...(siteId !== undefined && { siteId }), fetch: send })

  const commits = (slug?: string) => Number(git(service.gitdir(slug), 'rev-list', '--count', 'main'))
  const isPublish = ({ url }: Request) => url.endsWith('/publish')

  it('can go to a second site with the same files, also after a dry run', async () => {
    const { key } = await service.mint({ scopes: ['admin'] })
    const { body } = await service.api(key).post('/sites').send({ slug: 'repeated-twice' }).expect(201)
    const { id: second } = (body as { data: { id: string } }).data
    const files = await folder({ 'both.txt': 'both' })
    for (const mode of ['merge', 'replace'] as const) {
      for (const siteId of [service.site.id, second]) {
        for (const dryRun of [true, false]) {
          const { url } = await deploy(clientOf(siteId), files, { mode, dryRun })
          assert.equal(new URL(url).host.startsWith('repeated-twice.'), siteId === second)
        }
      }
    }
    for (const slug of ['repeated', 'repeated-twice']) await service.visit('/both.txt', slug).expect(200, 'both')
  })

  it('is not mistaken for one of another site, with keys of the client or the same key for both', async () => {
    const { key } = await service.mint({ scopes: ['admin'] })
    const { body } = await service.api(key).post('/sites').send({ slug: 'repeated-thrice' }).expect(201)
    const sites = [service.site.id, (body as { data: { id: string } }).data.id]
    const keys: (string | null)[] = []
    const note = (request: Request) => {
      if (!isPublish(request)) keys.push(request.headers.get('Idempotency-Key'))
      return fetch(request)
    }
    for (const siteId of [undefined, ...sites]) await deploy(clientOf(siteId, note), [])
    assert.equal(new Set(keys).size, 3)
    const found = sites.map((siteId) =>
      service
        .api()
        .post('/deploys')
        .set({ 'x-service-site-id': siteId, 'Idempotency-Key': 'of-the-files-alone' })
        .send({ files: {} })
        .expect(201),
    )
    const siteIds = (await Promise.all(found)).map(
      (answer) => (answer.body as { data: { siteId: string } }).data.siteId,
    )
    assert.deepEqual(siteIds, sites)
  })

  it('is made once if the same files are published twice at once', async () => {
    const before = commits()
    const files = await folder({ 'twice.txt': 'twice' })
    const published = await Promise.all([1, 2, 3].map(() => deploy(clientOf(), files)))
    assert.equal(commits(), before + 1)
    const made = published.filter(({ changed }) => changed)
    assert.ok(made.length > 0)
    assert.equal(new Set(made.map(({ commit }) => commit)).size, 1)
  })

  it('waits for another with its key that is in progress', async () => {
    const { key, id } = await service.mint()
    const { services } = service.server.service
    const [workspace] = await services.catalog.workspaces.list([service.workspaceId])
    let end: (reason: Error) => void = () => undefined
    const first = new Promise<never>((_, reject) => (end = reject))
    const answers: [status: number, retryAfter: string | null][] = []
    let begun: Promise<unknown> | undefined
    const send = async (request: Request) => {
      // The first request with this key, which another process of the same person has sent.
      begun ??= services.idempotency
        .once(
          {
            principal: { ...PRINCIPAL, id, workspaceId: service.workspaceId },
            target: { workspace: workspace!, scopes: ['write'], site: undefined },
            requestId: id,
            route: 'POST /deploys',
            idempotencyKey: request.headers.get('Idempotency-Key') ?? '',
            hold: async () => undefined,
          },
          { site: service.site, input: {} },
          () => first,
        )
        .catch(() => undefined)
      const answer = await fetch(request)
      answers.push([answer.status, answer.headers.get('Retry-After')])
      if (answers.length === 2) end(new Error('the other process was killed'))
      return answer
    }
    const client = createClient({ baseUrl: service.origin, key, fetch: send })
    const { created } = await deploy(client, await folder({ 'waits.txt': 'waits' }))
    assert.equal(created, 1)
    assert.deepEqual(answers.slice(0, 3), [
      [409, '1'],
      [409, '1'],
      [201, null],
    ])
  })

  it('ends with the answer of another run that publishes the same files meanwhile', async () => {
    const texts = { 'meanwhile.txt': 'meanwhile' }
    const [file] = await folder(texts)
    let other: Promise<Deployed> | undefined
    const read = async () => {
      other ??= deploy(clientOf(), await folder(texts))
      await other
      return file!.read()
    }
    const before = commits()
    const deployed = await deploy(clientOf(), [{ ...file!, read }])
    assert.deepEqual(deployed, await other)
    assert.equal(commits(), before + 1)
    const absent = { name: 'absent.txt', oid: '1'.repeat(40), size: 1, read: () => new Blob(['x']) }
    await assert.rejects(deploy(clientOf(), [absent]), { code: 'invalid_body' })
  })

  for (const [when, arrive] of [
    ['once it has landed', async (answer: Promise<Response>) => void (await answer)],
    ['while it goes on', async () => undefined],
  ] as const) {
    it(`succeeds if the answer to its publish comes too late, and the client gives up ${when}`, async () => {
      let late: Promise<Response> | undefined
      const send = async (request: Request) => {
        if (late !== undefined || !isPublish(request)) return await fetch(request)
        late = fetch(request)
        await arrive(late)
        throw new LateAnswer('Try again.')
      }
      const before = commits()
      const deployed = await deploy(clientOf(undefined, send), await folder({ 'late.txt': when }))
      assert.equal(deployed.changed, true)
      assert.deepEqual([commits(), (await late)?.status], [before + 1, 200])
      assert.equal(deployed.commit, git(service.gitdir(), 'rev-parse', 'main'))
    })
  }
})
