import { headIfReadable } from '../../../src/repository/refs-here.js'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parsePagePath } from '../../../src/model/paths/page-path.js'
import type { SiteRef } from '../../../src/repository/protocol/write.js'
import { PostgresServer } from '../../servers/postgres-server.js'
import { assertSound, git } from '../../support/git.js'
import { PATIENCE_MS, within } from '../../support/within.js'
import { openNodeStore } from './node-store.js'

const TIME = 1_790_000_000

describe('a read through any node', () => {
  const sites = ['one', 'two'].map((slug): SiteRef => ({ id: randomUUID(), slug }))
  let server: PostgresServer
  let nodes: Awaited<ReturnType<typeof startNode>>[] = []

  async function startNode(databaseUrl: string, patienceMs?: number) {
    const dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-barrier-'))
    const delays = new Map<string, Promise<void>>()
    const { store, barrier, close } = await openNodeStore({
      dataDir,
      databaseUrl,
      sites,
      patienceMs,
      delayOf: ({ id }) => delays.get(id),
    })
    return {
      store,
      barrier,
      delay: (site: SiteRef, until: Promise<void>) => delays.set(site.id, until),
      gitdir: (site: SiteRef) => join(dataDir, `${site.slug}.git`),
      publish: async (site: SiteRef, path: string, html: string) =>
        (
          await store.write(site, {
            operation: {
              kind: 'publish-page',
              newId: randomUUID(),
              path: parsePagePath(path),
              html: Buffer.from(html),
              title: undefined,
              templateId: null,
              replace: true,
            },
            author: 'Ada',
            time: TIME,
            trailers: [['Request-Id', 'r1']],
          })
        ).commit,
      async stop() {
        await close()
        rmSync(dataDir, { recursive: true, force: true })
      },
    }
  }

  before(async function () {
    server = await PostgresServer.start()
    const url = await server.createDatabase()
    nodes = [await startNode(url), await startNode(url)]
    for (const site of sites) await nodes[0]?.store.writers.createRepository(site, TIME)
  })
  after(async () => {
    for (const node of nodes) await node.stop()
    await server?.remove()
  })

  it('sees every write that was acknowledged before it, by any node', async () => {
    const [here, there] = nodes as [(typeof nodes)[0], (typeof nodes)[0]]
    const [site] = sites as [SiteRef]
    for (let i = 0; i < 10; i++) {
      const [writer, reader] = i % 2 === 0 ? [here, there] : [there, here]
      const commits = await Promise.all([0, 1, 2].map((n) => writer.publish(site, `/page-${i}-${n}`, `${i}`)))
      const { commit } = await within(PATIENCE_MS, async () => {
        await reader.barrier.untilCurrent()
        return reader.store.reader.snapshot(site)
      })
      assert.ok(commits.includes(commit))
      assert.equal(commit, writer.store.reader.head(site))
    }
    assert.equal(git(here.gitdir(site), 'rev-list', '--count', 'main'), '31')
    assert.equal(git(here.gitdir(site), 'rev-parse', 'main'), git(there.gitdir(site), 'rev-parse', 'main'))
    assertSound(there.gitdir(site))
  })

  it('sees them while both nodes write to the same site', async () => {
    const [site] = sites as [SiteRef]
    const acknowledged: string[] = []
    await Promise.all(
      nodes.map(async (node, n) => {
        for (let i = 0; i < 8; i++) acknowledged.push(await node.publish(site, `/both-${n}-${i}`, `${i}`))
      }),
    )
    for (const node of nodes) {
      await node.barrier.untilCurrent()
      const history = new Set(git(node.gitdir(site), 'rev-list', 'main').split('\n'))
      assert.deepEqual(
        acknowledged.filter((commit) => !history.has(commit)),
        [],
      )
    }
  })

  it('is not delayed by a site that takes long to fetch, and never shows an older state of that site', async () => {
    const [here] = nodes as [(typeof nodes)[0]]
    const [slow, other] = sites as [SiteRef, SiteRef]
    const there = await startNode(server.url('test0'), 300)
    nodes.push(there)
    let goOn: () => void = () => undefined
    there.delay(slow, new Promise<void>((resolve) => (goOn = resolve)))
    await there.barrier.untilCurrent()
    const commits = [await here.publish(slow, '/slow', 'slow'), await here.publish(other, '/other', 'other')]
    while (headIfReadable(there.store.repositories, other) !== commits[1]) await there.barrier.untilCurrent()
    assert.throws(() => there.store.reader.head(slow), { code: 'site_busy' })
    assert.ok(there.barrier.isBehind(slow.id))
    goOn()
    while (there.store.reader.refused.isBehind(slow)) await pause(20)
    assert.equal(there.store.reader.head(slow), commits[0])
  })

  it('is refused while PostgreSQL is down, and sees all writes once it is back', async () => {
    const [here, there] = nodes as [(typeof nodes)[0], (typeof nodes)[0]]
    const [, site] = sites as [SiteRef, SiteRef]
    await there.barrier.untilCurrent()
    await server.down('SIGQUIT')
    await assert.rejects(there.barrier.untilCurrent())
    assert.deepEqual([there.barrier.hadCatalogWithin(60_000), there.barrier.hadCatalogWithin(1)], [true, false])
    await assert.rejects(here.publish(site, '/lost', 'lost'))
    await server.up()
    const commit = await here.publish(site, '/kept', 'kept')
    await there.barrier.untilCurrent()
    // Its first fetch may meet a connection that ended with the old server.
    while (there.store.reader.refused.isBehind(site)) await there.barrier.untilCurrent()
    assert.equal(there.store.reader.head(site), commit)
  })
})
