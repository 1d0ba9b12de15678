// Imports and mirrors of nodes: one does the work, all show it, and another takes it over.

import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AbandonedWork } from '../../../src/usecases/provisioning/abandoned-work.js'
import { OwnLeases } from '../../../src/threads/leases.js'
import { serve, type ServeProcess } from '../../scenarios/serve-process.js'
import { assertSound, git } from '../../support/git.js'
import { GitServer } from '../../support/git-server.js'
import { NodeServices } from './node-services.js'
import { until } from '../../support/within.js'
import { requestAs } from './request-as.js'

const TIME = 1_790_000_000
const ENV = { REMOTE_ALLOW_PRIVATE: '127.0.0.1' }

describe('nodes with remotes', () => {
  const root = mkdtempSync(join(tmpdir(), 'palimpsest-remotes-'))
  let remote: GitServer
  let services: NodeServices
  /** A process of its own, which comes first and so has the care of mirrors. */
  let first: ServeProcess
  const dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-node-'))

  before(async function () {
    remote = await new GitServer({ root }).start()
    services = await NodeServices.start(ENV, async (url) => {
      first = await serve({ dataDir, env: { ...ENV, DATABASE_URL: url, WRITER_THREADS: '1', LOG_LEVEL: 'silent' } })
    })
  })
  after(async () => {
    await services?.stop()
    first?.signal('SIGKILL')
    await first?.ended
    rmSync(dataDir, { recursive: true, force: true })
    await remote.stop()
    rmSync(root, { recursive: true, force: true })
  })
  afterEach(() => (remote.options = { root }))

  function makeSource(name: string): string {
    const folder = mkdtempSync(join(root, 'work-'))
    git(folder, 'init', '--quiet', '--initial-branch=main')
    writeFileSync(join(folder, 'index.html'), 'moved in')
    writeFileSync(join(folder, 'large.bin'), randomBytes(700_000))
    git(folder, 'add', '--all')
    git(folder, 'commit', '--quiet', '-m', 'Begin')
    git(root, 'clone', '--quiet', '--bare', folder, `${name}.git`)
    return `${remote.origin}/${name}.git`
  }

  /** The remote sends no pack until that is called. */
  function holdPacks(): () => void {
    const held: ServerResponse[] = []
    remote.options = {
      root,
      intercept(request, response) {
        if (request.method !== 'POST' || request.headers['git-protocol'] === undefined) return false
        held.push(response)
        return true
      },
    }
    return () => {
      for (const response of held) response.destroy()
    }
  }

  const look = async (node: number, id: string) => (await services.ask(node, 'GET', `/sites/${id}`)).body.data
  const settled = (node: number, id: string) =>
    until(
      () => look(node, id),
      ({ state }) => state !== 'importing',
    )

  it('import a site through one and serve it from each, and store its log in small pieces', async () => {
    const begun = await services.ask(0, 'POST', '/sites', { slug: 'moved', importUrl: makeSource('plain') })
    assert.equal(begun.status, 202, JSON.stringify(begun.body))
    const site = await settled(1, begun.body.data.id)
    assert.equal(site.import.error, null)
    assert.equal((await services.visit(1, 'moved', '/')).text, 'moved in')
    assertSound(services.gitdir(1, 'moved'))
    assert.equal(
      git(services.gitdir(0, 'moved'), 'rev-parse', 'main'),
      git(services.gitdir(1, 'moved'), 'rev-parse', 'main'),
    )
    const pieces = await services.database.query(
      'select max(length(bytes)) as most, count(*) from log.pieces',
      services.url,
    )
    assert.ok(Number(pieces[0]?.['most']) <= 256 * 1024 && Number(pieces[0]?.['count']) > 3)
    const page = { siteId: site.id, path: '/more', html: 'more' }
    assert.equal((await services.ask(1, 'POST', '/pages', page)).status, 201)
    assert.equal((await services.visit(0, 'moved', '/more')).text, 'more')
  })

  it('show the progress of an import through each, and cancel it through each', async () => {
    const letGo = holdPacks()
    const wish = { slug: 'ended', importUrl: makeSource('ended') }
    const { body } = await services.ask(0, 'POST', '/sites', wish)
    const { id } = body.data
    await until(
      () => look(1, id),
      (site) => site.import.phase === 'receiving',
    )
    assert.equal((await services.ask(1, 'DELETE', `/sites/${id}`)).status, 200)
    letGo()
    assert.equal((await services.ask(0, 'GET', `/sites/${id}`)).status, 404)
    assert.equal((await services.ask(1, 'POST', '/sites', { slug: 'ended' })).status, 201)
  })

  it('finish or free a site that a node left half-made', async () => {
    const { catalog, store, imports, provisioner, replica } = services.at(0).service.services
    const [workspace] = await catalog.workspaces.list()
    const [left, made] = ['left', 'made'].map((slug) => {
      return { id: randomUUID(), workspaceId: workspace?.id ?? '', slug, createdAt: '2026-11-22T00:00:00Z' }
    })
    assert.ok(left && made)
    for (const site of [left, made]) await catalog.sites.reserve(site)
    await store.writers.createRepository(made, TIME)
    const abandoned = new AbandonedWork({ catalog, leases: new OwnLeases(), replica, imports, provisioner }, -1)
    await abandoned.settle()
    assert.equal((await services.ask(1, 'GET', `/sites/${made.id}`)).body.data.slug, 'made')
    assert.equal((await services.ask(1, 'POST', '/sites', { slug: 'left' })).status, 201)
  })

  it('push a mirror from one node, show it through each, and continue if that node is killed', async () => {
    git(root, 'init', '--quiet', '--bare', '--initial-branch=main', 'mirror.git')
    git(join(root, 'mirror.git'), 'config', 'http.receivepack', 'true')
    const { body: sites } = await services.ask(0, 'GET', '/sites?slug=demo')
    const path = `/sites/${sites.data[0].id}/mirror`
    const mirror = async (node: number) => (await services.ask(node, 'GET', path)).body.data
    const inStep = async (node: number) => {
      const shown = await until(
        () => mirror(node),
        ({ state, lag }) => state === 'ok' && lag === 0,
      )
      const head = git(services.gitdir(node), 'rev-parse', 'main')
      assert.equal(git(join(root, 'mirror.git'), 'rev-parse', 'main'), head, JSON.stringify(shown))
    }
    assert.equal((await services.ask(1, 'PUT', path, { url: `${remote.origin}/mirror.git` })).status, 200)
    for (const node of [0, 1]) await inStep(node)

    const letGo = holdPacks()
    const body = { slug: 'orphan', importUrl: makeSource('orphan') }
    const wish = { method: 'POST', path: '/api/v1/sites', bearer: services.key, body }
    const orphan = (await requestAs(first.port, wish)).body.data
    await until(
      () => look(0, orphan.id),
      (site) => site.import.phase === 'receiving',
    )
    first.signal('SIGKILL')
    await first.ended
    letGo()
    remote.options = { root }
    await services.ask(0, 'POST', '/pages', { path: '/mirrored', html: 'mirrored' })
    for (const node of [0, 1]) await inStep(node)
    const failed = await settled(1, orphan.id)
    assert.deepEqual(
      [failed.state, failed.import.error],
      ['failed', 'The service stopped before the import was done. Import it again.'],
    )
    assert.equal((await services.ask(0, 'POST', '/sites', { slug: 'orphan' })).status, 201)

    const clone = join(root, 'foreign')
    git(root, 'clone', '--quiet', 'mirror.git', clone)
    git(clone, 'commit', '--quiet', '--allow-empty', '-m', 'Not of the site')
    git(clone, 'push', '--quiet', 'origin', 'main')
    await services.ask(1, 'POST', '/pages', { path: '/diverged', html: 'diverged' })
    for (const node of [0, 1])
      await until(
        () => mirror(node),
        ({ state }) => state === 'diverged',
      )
  })
})
