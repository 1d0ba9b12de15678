import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parsePagePath } from '../../../src/model/paths/page-path.js'
import type { SiteRef } from '../../../src/repository/protocol/write.js'
import { PostgresServer } from '../../servers/postgres-server.js'
import { openNodeStore } from './node-store.js'
import { PATIENCE_MS, within } from '../../support/within.js'

const TIME = 1_790_000_000

describe('a primary that was replaced and still answers', () => {
  const site: SiteRef = { id: randomUUID(), slug: 'one' }
  const folders: string[] = []
  const nodes: Awaited<ReturnType<typeof openNodeStore>>[] = []
  let primary: PostgresServer
  let standby: PostgresServer

  async function startNode(...servers: PostgresServer[]) {
    const dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-primary-'))
    folders.push(dataDir)
    const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join()
    const node = await openNodeStore({
      dataDir,
      databaseUrl: `postgres://palimpsest@${hosts}/test0`,
      sites: [site],
    })
    nodes.push(node)
    return node
  }

  const publish = async ({ store }: (typeof nodes)[0], path: string) =>
    (
      await store.write(site, {
        operation: {
          kind: 'publish-page',
          newId: randomUUID(),
          path: parsePagePath(path),
          html: Buffer.from(path),
          title: undefined,
          templateId: null,
          replace: true,
        },
        author: 'Ada',
        time: TIME,
        trailers: [],
      })
    ).commit

  before(async function () {
    primary = await PostgresServer.start()
    await primary.createDatabase()
    standby = await primary.addSynchronousStandby()
  })
  after(async () => {
    await Promise.all(nodes.map((node) => node.close()))
    await standby?.remove()
    await primary?.remove()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })

  it('is no longer trusted by any node before the next one has committed anything', async () => {
    const [left, both] = [await startNode(primary), await startNode(primary, standby)]
    await left.store.writers.createRepository(site, TIME)
    await publish(left, '/before')
    await both.barrier.untilCurrent()
    await left.barrier.untilCurrent()
    const lastOfOld = lastAnswer(left)
    await standby.promote()
    const promoted = performance.now()
    const late = await startNode(primary, standby)
    const commit = await untilDone(() => late.barrier.untilCurrent().then(() => publish(late, '/after')))
    const acknowledged = performance.now()
    assert.ok(acknowledged > (await lastOfOld), 'the replaced primary was trusted after the next one had committed')
    assert.ok(acknowledged - promoted > 1000)
    await assert.rejects(left.barrier.untilCurrent(), { name: 'DatabaseUnavailable' })
    // The other one finds the next primary by itself.
    await untilDone(() => both.barrier.untilCurrent())
    assert.equal(both.store.reader.head(site), commit)
  })

  /** Returns the time of the node's last answer before it refused. */
  async function lastAnswer({ barrier }: (typeof nodes)[0]): Promise<number> {
    for (let last = performance.now(); ; last = performance.now()) {
      try {
        await barrier.untilCurrent()
      } catch {
        return last
      }
      await pause(10)
    }
  }

  /** The work's result, once it is no longer refused. */
  async function untilDone<T>(work: () => Promise<T>): Promise<T> {
    return await within(PATIENCE_MS, work)
  }
})
