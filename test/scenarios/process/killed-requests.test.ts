// Kills of the service just after a change request was published: main has its commit, and its row says that it is open.

import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { assertSound, git } from '../../support/git.js'
import { PATIENCE_MS, until, within } from '../../support/within.js'
import { put } from '../client.js'
import { endProcesses, makeKey, serve, type ServeProcess } from '../serve-process.js'

describe('kill -9 between the commit that publishes a change request and the end of its row', () => {
  let dataDir: string
  let gitdir: string
  let server: ServeProcess
  let key: string
  let siteId: string

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-killed-request-'))
    gitdir = join(dataDir, 'demo.git')
    server = await serve({ dataDir })
    key = await makeKey(dataDir)
    siteId = (await put(server.api(key), '/live', 'live')).siteId
  })
  afterEach(async () => {
    await endProcesses(dataDir)
  })

  const api = () => server.api(key)
  const propose = async (path: string, request = 'new'): Promise<string> => {
    const { status, body } = await api().post(`/pages?changeRequest=${request}`).send({ path, html: path })
    assert.equal(status, 201, JSON.stringify(body))
    return body.changeRequest ?? request
  }
  const commitsOf = (request: string) =>
    git(gitdir, 'log', '--format=%H', `--grep=^Change-Request: ${request}$`, 'main').split('\n').filter(Boolean)
  const readRequest = async (request: string) => (await api().get(`/change-requests/${request}`).expect(200)).body.data
  const listOpen = async () => {
    const { body } = await api().get(`/sites/${siteId}/change-requests`).expect(200)
    return (body.data as { id: string }[]).map(({ id }) => id)
  }

  /** Publishes while another program holds the catalog, and kills the service once main has the commit. Returns the commit. */
  async function publishAndKill(request: string): Promise<string> {
    return await holdAndKill(request, async () => {
      const answer = api().post(`/change-requests/${request}/publish`).send({})
      await assert.rejects(Promise.resolve(answer))
    })
  }

  async function holdAndKill(request: string, publish: () => Promise<void>): Promise<string> {
    const catalog = new DatabaseSync(join(dataDir, 'catalog.db'))
    catalog.exec('BEGIN IMMEDIATE')
    try {
      const failed = publish()
      const [commit = ''] = await until(
        () => commitsOf(request),
        (commits) => commits.length > 0,
      )
      server.signal('SIGKILL')
      await server.ended
      await failed
      return commit
    } finally {
      catalog.close()
    }
  }

  /** Sets a time that comes soon, and returns it. */
  async function schedule(request: string, ms: number): Promise<number> {
    const at = Math.ceil((Date.now() + ms) / 1000) * 1000
    await api()
      .post(`/change-requests/${request}/publish`)
      .send({ at: new Date(at).toISOString() })
      .expect(200)
    return at
  }

  it('leaves it published: nothing is written to it any more, and its row is closed by itself', async () => {
    const request = await propose('/one')
    await propose('/two', request)
    const head = git(join(dataDir, 'drafts', 'demo.git'), 'rev-parse', request)
    const commit = await publishAndKill(request)

    server = await serve({ dataDir })
    const { state, published } = await readRequest(request)
    assert.deepEqual([state, published], ['published', commit])
    const refused = [
      await api().put(`/pages?path=/late&changeRequest=${request}`).type('html').send('late'),
      await api()
        .post(`/batch?changeRequest=${request}`)
        .send({ operations: [{ op: 'putPage', path: '/late', html: 'late' }] }),
      await api().post(`/change-requests/${request}/update`).send({}),
    ]
    for (const { status, body } of refused) assert.deepEqual([status, body.error?.code], [409, 'change_request_closed'])
    assert.equal(git(join(dataDir, 'drafts', 'demo.git'), 'rev-parse', request), head)
    assert.equal((await api().patch(`/change-requests/${request}`).send({ state: 'review' })).status, 409)
    await within(PATIENCE_MS, async () => assert.deepEqual(await listOpen(), []))
    assert.deepEqual(commitsOf(request), [commit])
    assertSound(gitdir)
  })

  it('publishes nothing twice at its time', async () => {
    const request = await propose('/timed')
    await schedule(request, 3000)
    const commit = await holdAndKill(request, async () => undefined)

    server = await serve({ dataDir })
    await within(PATIENCE_MS, async () => assert.deepEqual(await listOpen(), []))
    const { state, published, publishAt, heldAt } = await readRequest(request)
    assert.deepEqual([state, published, publishAt, heldAt], ['published', commit, null, null])
    assert.deepEqual(commitsOf(request), [commit])
  })

  it('comes after a time that passed while the service was killed: the next start publishes it', async () => {
    const request = await propose('/passed')
    const at = await schedule(request, 3000)
    server.signal('SIGKILL')
    await server.ended
    await until(
      () => Date.now(),
      (now) => now > at,
    )
    assert.deepEqual(commitsOf(request), [])

    server = await serve({ dataDir })
    await within(PATIENCE_MS, async () => assert.equal((await readRequest(request)).state, 'published'))
    assert.equal(commitsOf(request).length, 1)
  })

  it('publishes nothing twice when the client asks again', async () => {
    const request = await propose('/once')
    const commit = await publishAndKill(request)

    server = await serve({ dataDir })
    const again = await api().post(`/change-requests/${request}/publish`).send({})
    assert.deepEqual([again.status, again.body.data?.commit], [200, commit])
    assert.deepEqual(commitsOf(request), [commit])
    assert.deepEqual(await listOpen(), [])
    const { body } = await api().get('/pages?path=/once').expect(200)
    assert.equal(body.data.length, 1)
  })
})
