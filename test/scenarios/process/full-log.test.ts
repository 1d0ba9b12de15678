import assert from 'node:assert/strict'
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import supertest from 'supertest'
import { endProcesses, makeKey, MAIN, run, serve } from '../serve-process.js'

/** A device that takes no byte, as a full disk does. */
const FULL = '/dev/full'

const describeWithFull = existsSync(FULL) ? describe : () => undefined

describeWithFull('a full disk below the output', () => {
  let dataDir: string
  beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-full-log-'))))
  afterEach(async () => {
    await endProcesses(dataDir)
  })

  it('does not stop a service: API and sites are served without a log', async () => {
    const server = await serve({ dataDir, logTo: FULL, env: { LOG_LEVEL: 'trace' } })
    for (let round = 0; round < 3; round++) {
      await supertest(server.origin).get('/api/v1/me').expect(401)
      await supertest(server.origin).get('/').set('Host', 'demo.localhost').expect(200)
    }
    server.signal('SIGTERM')
    assert.equal((await server.ended).code, 0)
  })

  it('makes a command print one line and exit with 1', async () => {
    const server = await serve({ dataDir })
    await makeKey(dataDir)
    server.signal('SIGTERM')
    await server.ended
    const env = { ...process.env, DATA_DIR: dataDir }
    const { code, stderr } = await run('sh', ['-c', `exec "${process.execPath}" "${MAIN}" keys list > ${FULL}`], {
      env,
    })
    assert.equal(code, 1)
    assert.match(stderr, /^palimpsest: standard output: ENOSPC.*\n$/)
  })
})
