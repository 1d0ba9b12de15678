// A node that is killed while it writes to a change request.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { PostgresServer } from '../../../servers/postgres-server.js'
import { assertSound, git } from '../../../support/git.js'
import { openNodeStore } from '../node-store.js'

const TIME = 1_790_000_000
const ROUNDS = 3
const WRITER = fileURLToPath(new URL('./request-writer.js', import.meta.url))

describe('a node that is killed while it writes to a change request', function () {
  this.timeout(120_000)
  const site = { id: randomUUID(), slug: 'demo' }
  const request = { ...site, request: randomUUID() }
  const folders: string[] = []
  let database: PostgresServer
  let databaseUrl: string

  const newFolder = () => {
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-killed-'))
    folders.push(folder)
    return folder
  }

  before(async () => {
    database = await PostgresServer.start()
    databaseUrl = await database.createDatabase()
  })
  after(async () => {
    await database?.remove()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  })

  /** On a busy machine a node may refuse the request for a while. */
  const current = async ({ barrier, store }: Awaited<ReturnType<typeof openNodeStore>>) => {
    do await barrier.untilCurrent()
    while (store.reader.refused.isBehind(request))
  }

  it('loses no acknowledged write, on the other node and on itself after its start', async () => {
    const [dataDir, killedDir] = [newFolder(), newFolder()]
    const here = await openNodeStore({ dataDir, databaseUrl, sites: [site] })
    await here.store.writers.createRepository(site, TIME)
    await current(here)
    await here.store.writers.beginRequest(request, here.store.reader.head(site), TIME)
    const acknowledged: string[] = []
    for (let round = 1; round <= ROUNDS; round++) {
      const args = [WRITER, killedDir, databaseUrl, site.id, site.slug, request.request]
      const writer = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      const ended = once(writer, 'exit')
      const wanted = acknowledged.length + 5 * round
      for await (const line of createInterface(writer.stdout)) {
        acknowledged.push(line)
        if (acknowledged.length === wanted) writer.kill('SIGKILL')
      }
      assert.deepEqual(await ended, [null, 'SIGKILL'])
      await current(here)
      const head = here.store.reader.head(request)
      const history = new Set(git(join(dataDir, 'drafts', 'demo.git'), 'rev-list', request.request).split('\n'))
      assert.deepEqual(
        acknowledged.filter((commit) => !history.has(commit)),
        [],
      )
      assert.equal(here.store.reader.head(request), head)
    }
    const again = await openNodeStore({ dataDir: killedDir, databaseUrl, sites: [site] })
    await current(again)
    assert.equal(again.store.reader.head(request), here.store.reader.head(request))
    for (const folder of [dataDir, killedDir]) assertSound(join(folder, 'drafts', 'demo.git'))
    await again.close()
    await here.close()
  })
})
