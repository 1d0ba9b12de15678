// What a worker answers right after a change was answered by the first process: hundreds of changes, on new and kept-open connections.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ApiClient, clientOf, put } from '../scenarios/client.js'
import { endProcesses, makeKey, serve, type ServeProcess } from '../scenarios/serve-process.js'
import { git } from '../support/git.js'
import { type Answer, answerTo } from './fresh-connection.js'

const CHANGES = 100
const WRITES = 10
/** More than there are workers, so that hardly one is left out. */
const CONNECTIONS = 4

for (const WORKERS of ['1', '2']) {
  describe(`a change that was answered, with WORKERS=${WORKERS},`, () => {
    let dataDir: string
    let server: ServeProcess
    let api: ApiClient
    let siteId: string
    const kept = Array.from({ length: CONNECTIONS }, () => new Agent({ keepAlive: true, maxSockets: 1 }))

    before(async () => {
      dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-changes-'))
      server = await serve({ dataDir, env: { WORKERS, KEEP_ALIVE_SECONDS: '60' } })
      const key = await makeKey(dataDir, 'admin')
      // Past the workers, so that none of them knows of the change.
      api = clientOf(`http+unix://${encodeURIComponent(join(dataDir, 'serve.sock'))}`, key)
      const { body } = await api.post('/sites').send({ slug: 'changing' }).expect(201)
      siteId = (body.data as { id: string }).id
    })
    after(async () => {
      for (const agent of kept) agent.destroy()
      await endProcesses()
      rmSync(dataDir, { recursive: true, force: true })
    })

    /** What the GET is answered with on each kept connection and on as many new ones. */
    function visit(label: string, path: string, headers: Record<string, string> = {}): Promise<Answer[]> {
      const agents = [...kept, ...kept.map(() => false as const)]
      const all = { Host: `${label}.localhost:${server.port}`, ...headers }
      return Promise.all(
        agents.map((agent) =>
          answerTo(request({ host: '127.0.0.1', port: server.port, path, agent, headers: all }).end()),
        ),
      )
    }

    async function visitFor(expected: number | string, label: string, path: string, headers?: Record<string, string>) {
      for (const { status, body } of await visit(label, path, headers)) {
        const found = typeof expected === 'number' ? status : body
        assert.equal(found, expected, `${label} ${path}`)
      }
    }

    const putFile = (path: string, text: string) =>
      api
        .put(`/files?path=${encodeURIComponent(path)}`)
        .set('x-service-site-id', siteId)
        .type('text/plain')
        .send(text)

    it('of the settings is in each answer', async () => {
      await put(api, '/', '<p>kept</p>', siteId)
      const past = `${git(join(dataDir, 'changing.git'), 'rev-parse', 'main').slice(0, 20)}--changing`
      const date = { 'Accept-Datetime': new Date().toUTCString() }
      const markdown = { Accept: 'text/markdown' }
      for (let i = 0; i < CHANGES; i++) {
        const settings = { publicHistory: i % 2 === 0, markdown: i % 3 === 0, search: i % 5 === 0 }
        await api.patch(`/sites/${siteId}`).send(settings).expect(200)
        await Promise.all([
          visitFor(settings.publicHistory ? 200 : 404, past, '/'),
          visitFor(settings.publicHistory ? 302 : 200, 'changing', '/', date),
          visitFor(settings.markdown ? 'kept\n' : '<p>kept</p>', 'changing', '/', markdown),
        ])
      }
    })

    it('of the files is in each answer: page, file, 404, redirect, sitemap, texts and versions', async () => {
      await api.patch(`/sites/${siteId}`).send({ publicHistory: true }).expect(200)
      for (let i = 0; i < WRITES; i++) {
        const { id } = await put(api, '/passing', `page ${i}`, siteId)
        const past = `${git(join(dataDir, 'changing.git'), 'rev-parse', 'main').slice(0, 20)}--changing`
        await visitFor(`page ${i}`, 'changing', '/passing')
        await visitFor(`page ${i}`, past, '/passing')
        await putFile('/style.css', `/* ${i} */`)
        await visitFor(`/* ${i} */`, 'changing', '/style.css')
        await put(api, '/404', `missing ${i}`, siteId)
        await visitFor(`missing ${i}`, 'changing', '/nowhere')
        await putFile('/_redirects', `/moved /passing ${i % 2 === 0 ? 302 : 301}\n`)
        await visitFor(i % 2 === 0 ? 302 : 301, 'changing', '/moved')
        for (const { body } of await visit('changing', '/sitemap.xml')) assert.match(body, /\/passing</)

        await api.delete(`/pages/${id}`).expect(200)
        await visitFor(`missing ${i}`, 'changing', '/passing')
        await visitFor(410, past, '/passing')
        for (const { body } of await visit('changing', '/sitemap.xml')) assert.doesNotMatch(body, /\/passing</)
        for (const { body } of await visit('changing', '/llms.txt')) assert.doesNotMatch(body, /\/passing/)
      }
    })

    it('that deletes a site, or withdraws a version, is in each answer', async () => {
      for (let i = 0; i < WRITES; i++) {
        const slug = `short-${i}`
        await visitFor(404, slug, '/')
        const { body } = await api.post('/sites').send({ slug }).expect(201)
        const { id } = body.data as { id: string }
        await api.patch(`/sites/${id}`).send({ publicHistory: true }).expect(200)
        await put(api, '/', 'secret', id)
        const past = `${git(join(dataDir, `${slug}.git`), 'rev-parse', 'main').slice(0, 20)}--${slug}`
        const { id: page } = await put(api, '/', 'public', id)
        await visitFor('secret', past, '/')
        await api.post(`/pages/${page}/versions/1/withdraw`).expect(200)
        await visitFor(410, past, '/')
        await visitFor('public', slug, '/')
        await api.delete(`/sites/${id}`).expect(200)
        await visitFor(404, slug, '/')
        await visitFor(404, past, '/')
      }
    })
  })
}
