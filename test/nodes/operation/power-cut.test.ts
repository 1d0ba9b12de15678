// A machine that loses its power while its node runs: what the node had not synced is torn.

import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endProcesses, runPalimpsest, serve } from '../../scenarios/serve-process.js'
import { PostgresServer } from '../../servers/postgres-server.js'
import { assertSound, git } from '../../support/git.js'

describe('a node on a machine that lost its power', function () {
  this.timeout(120_000)
  let database: PostgresServer
  let dataDir: string
  let env: Record<string, string>

  before(async function () {
    database = await PostgresServer.start()
    dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-power-'))
    env = { DATABASE_URL: await database.createDatabase(), LOG_LEVEL: 'warn' }
  })
  after(async () => {
    await endProcesses()
    await database?.remove()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 })
  })

  it('fetches again what it had written, and has each acknowledged page', async () => {
    const before = await serve({ dataDir, env })
    const made = await runPalimpsest({ DATA_DIR: dataDir, ...env }, 'keys', 'create', '--scopes', 'admin')
    const key = made.stdout.trim()
    const publish = async (origin: string, path: string) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'text/html' }
      const answer = await fetch(`${origin}/api/v1/pages?path=${path}`, { method: 'PUT', headers, body: path })
      assert.equal(answer.status, 201)
    }
    for (let i = 0; i < 3; i++) await publish(before.origin, `/page-${i}`)
    before.signal('SIGKILL')
    await before.ended

    const gitdir = join(dataDir, 'demo.git')
    const head = git(gitdir, 'rev-parse', 'main')
    const packs = join(gitdir, 'objects', 'pack')
    for (const name of readdirSync(packs)) truncateSync(join(packs, name), 0)
    const notes = join(dataDir, 'unsynced-sites')
    writeFileSync(notes, readFileSync(notes, 'latin1').replaceAll(/^\S+/gm, 'the-boot-before'))

    const after = await serve({ dataDir, env })
    await publish(after.origin, '/page-3')
    assert.equal(git(gitdir, 'rev-parse', 'main~1'), head)
    assertSound(gitdir)
    assert.match(after.logged(), /stopped before it had synced/)
    after.signal('SIGTERM')
    await after.ended
    assert.equal(readdirSync(dataDir).includes('unsynced-sites'), false)
  })
})
