import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { git } from '../../support/git.js'
import { type ApiClient, type Page, put } from '../client.js'
import { PATIENCE_MS, within } from '../../support/within.js'
import { endProcesses, makeKey, serve, type ServeProcess } from '../serve-process.js'

const WRITERS = 32
const ROUNDS = 2

describe('clients that write at the same time and retry', () => {
  let dataDir: string
  let server: ServeProcess
  let key: string
  let api: ApiClient

  const start = async () => {
    server = await serve({ dataDir })
    api = server.api(key)
  }
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-retries-'))
    server = await serve({ dataDir })
    key = await makeKey(dataDir)
    api = server.api(key)
  })
  afterEach(async () => {
    await endProcesses(dataDir)
  })

  const commits = () => Number(git(join(dataDir, 'demo.git'), 'rev-list', '--count', 'main'))

  it('get one of 32 writes with the same entity tag accepted, and 31 answers with the current one', async () => {
    let page = await put(api, '/hot', 'first')
    const before = commits()
    for (let round = 0; round < ROUNDS; round++) {
      const tag = page.etag
      const answers = await Promise.all(
        Array.from({ length: WRITERS }, (_, i) =>
          api.put(`/pages/${page.id}/content`).set('If-Match', tag).type('html').send(`${round}.${i}`),
        ),
      )
      const [won, ...others] = answers.toSorted((a, b) => a.status - b.status)
      assert.equal(won?.status, 200)
      page = won.body.data as Page
      for (const { status, headers } of others) assert.deepEqual([status, headers['etag']], [412, page.etag])
    }
    assert.equal(commits() - before, ROUNDS)
  })

  it('get all 32 writes without an entity tag into the history, and the last one is served', async () => {
    const page = await put(api, '/hot', 'first')
    const bodies = Array.from({ length: WRITERS }, (_, i) => `body ${i}`)
    await Promise.all(bodies.map((body) => put(api, '/hot', body)))
    const { body } = await api.get(`/pages/${page.id}/versions?limit=100`)
    assert.equal((body.data as unknown[]).length, WRITERS + 1)
    const texts = git(join(dataDir, 'demo.git'), 'rev-list', '-32', 'main')
      .split('\n')
      .map((commit) => git(join(dataDir, 'demo.git'), 'show', `${commit}:hot.html`))
    assert.deepEqual(texts.toSorted(), bodies.toSorted())
    assert.equal((await api.get(`/pages/${page.id}`)).body.data.html, texts[0])
  })

  /** Sends a POST and hangs up without waiting for the answer. */
  function postAndHangUp(path: string, idempotencyKey: string, body: object): Promise<void> {
    return new Promise((resolve) => {
      const headers = {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
      }
      const sent = request(`${server.origin}/api/v1${path}`, { method: 'POST', headers })
      sent.on('error', () => undefined)
      sent.end(JSON.stringify(body), () => {
        sent.destroy()
        resolve()
      })
    })
  }

  it('get each write with an Idempotency-Key applied once, after cut connections, a kill and the loss of the index', async () => {
    const before = commits()
    const posts = Array.from({ length: 12 }, (_, i) => ({
      key: randomUUID(),
      path: `/retried-${i}`,
      html: `page ${i}`,
    }))
    await Promise.all(posts.map(({ key: once, ...body }) => postAndHangUp('/pages', once, body)))
    const repeat = ({ key: once, ...body }: (typeof posts)[number]) =>
      api.post('/pages').set('Idempotency-Key', once).send(body)
    const pages: Page[] = []
    for (const post of posts) {
      await within(PATIENCE_MS, async () => assert.equal((await repeat(post)).status, 201))
      pages.push((await repeat(post)).body.data as Page)
    }
    assert.equal(commits() - before, posts.length)

    server.signal('SIGKILL')
    await server.ended
    rmSync(join(dataDir, 'index'), { recursive: true, force: true })
    await start()
    for (const [i, post] of posts.entries()) {
      const { status, body } = await repeat(post)
      assert.deepEqual(
        [status, (body.data as Page).id, (body.data as Page).version],
        [201, pages[i]?.id, pages[i]?.version],
      )
    }
    assert.equal(commits() - before, posts.length)
    const other = await repeat({ ...posts[0]!, html: 'something else' })
    assert.deepEqual([other.status, other.body.error?.code], [422, 'idempotency_key_reused'])
  })

  it('get each page that existed throughout once and in order, while they read a list part by part', async () => {
    const stays = Array.from({ length: 30 }, (_, i) => `/stays-${String(i).padStart(2, '0')}`)
    await Promise.all(stays.map((path) => put(api, path, path)))
    const over = new AbortController()
    const writing = (async () => {
      for (let i = 0; !over.signal.aborted; i++) {
        const page = await put(api, `/stays-${String(i % 30).padStart(2, '0')}-${i}`, 'comes between')
        if (i % 2 === 0) await api.delete(`/pages/${page.id}`)
        await put(api, stays[i % 30] ?? '', `replaced ${i}`)
      }
    })()
    try {
      for (let walk = 0; walk < 3; walk++) {
        const seen: string[] = []
        let cursor: string | null = null
        do {
          const { status, body } = await api
            .get('/pages')
            .query({ limit: 4, prefix: '/stays-', ...(cursor !== null && { cursor }) })
          assert.equal(status, 200)
          seen.push(...(body.data as Page[]).map(({ path }) => path))
          cursor = body.paging.nextCursor as string | null
        } while (cursor !== null)
        assert.deepEqual(seen, [...new Set(seen)].toSorted())
        assert.deepEqual(
          seen.filter((path) => stays.includes(path)),
          stays,
        )
      }
    } finally {
      over.abort()
      await writing
    }
  })
})
