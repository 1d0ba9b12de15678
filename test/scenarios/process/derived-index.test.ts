import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rowsFileOf } from '../../index/open-test-index.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { type Answers, gatherAnswers } from '../answers.js'
import { liveIn } from '../operators/lived-in-site.js'
import { runPalimpsest } from '../serve-process.js'

describe('the index of pages, versions and records', () => {
  let dataDir: string
  let service: TestService
  let answers: Answers

  // Its address does not change with the port, so that answers can be compared across restarts.
  const start = () => startOwnService({ dataDir, keep: true, env: { BASE_URL: 'http://localhost:8080' } })
  const gather = () => gatherAnswers(service.api(), service.site.id)
  const removeIndex = () => {
    assert.ok(existsSync(rowsFileOf(dataDir, service.site.id)))
    rmSync(join(dataDir, 'index'), { recursive: true })
  }

  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-index-'))
    service = await start()
    await liveIn(service)
    answers = await gather()
    assert.ok(Object.keys(answers).length > 80, `only ${Object.keys(answers).length} answers`)
  })
  after(async () => {
    await service.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  it('answers as before when its folder is deleted while the service is stopped', async () => {
    await service.stop()
    removeIndex()
    service = await start()
    assert.deepEqual(await gather(), answers)
  })

  it('answers as before when its folder is deleted under the running service', async () => {
    removeIndex()
    assert.deepEqual(await gather(), answers)
    assert.ok(existsSync(rowsFileOf(dataDir, service.site.id)))
  })

  it('answers as before when its file is overwritten', async () => {
    await service.stop()
    writeFileSync(rowsFileOf(dataDir, service.site.id), 'not a database '.repeat(1000))
    service = await start()
    assert.deepEqual(await gather(), answers)
  })

  it('answers as before after `palimpsest reindex` while the service runs', async () => {
    const { code, stderr } = await runPalimpsest({ DATA_DIR: dataDir }, 'reindex')
    assert.equal(code, 0, stderr)
    assert.deepEqual(await gather(), answers)
  })

  it('answers as before after `palimpsest reindex` with the service stopped and the folder gone', async () => {
    await service.stop()
    removeIndex()
    const { code, stderr } = await runPalimpsest({ DATA_DIR: dataDir }, 'reindex', 'demo')
    assert.equal(code, 0, stderr)
    service = await start()
    assert.deepEqual(await gather(), answers)
  })
})
