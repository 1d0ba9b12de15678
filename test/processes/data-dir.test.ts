import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareDataDir } from '../../src/processes/data-dir.js'
import { InvalidConfiguration } from '../../src/processes/config/config.js'
import { endProcesses, makeKey, runPalimpsest, serve } from '../scenarios/serve-process.js'

describe('the data directory', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-modes-'))
    chmodSync(folder, 0o755)
  })
  afterEach(async () => {
    await endProcesses(folder)
  })

  const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8)
  const logged: string[] = []
  const logger = { warn: (...entry: unknown[]) => void logged.push(String(entry.at(-1))) }

  it('is private, with all files that the service and the command line create in it', async () => {
    const dataDir = join(folder, 'data')
    await serve({ env: { DATA_DIR: dataDir } })
    await makeKey(dataDir)
    assert.equal((await runPalimpsest({ DATA_DIR: dataDir }, 'sites', 'create', 'second')).code, 0)
    assert.equal((await runPalimpsest({ DATA_DIR: dataDir }, 'backup', join(folder, 'backup'))).code, 0)
    assert.equal(modeOf(dataDir), '700')
    const databases = readdirSync(dataDir).filter((name) => name.includes('.db'))
    assert.ok(databases.includes('catalog.db'))
    for (const name of databases) {
      // SQLite may remove the log of a database at any time.
      const mode = statSync(join(dataDir, name), { throwIfNoEntry: false })?.mode
      if (mode !== undefined) assert.equal((mode & 0o7777).toString(8), '600', name)
    }
    for (const name of ['demo.git', 'second.git']) assert.equal(modeOf(join(dataDir, name)), '700', name)
    assert.equal(modeOf(join(folder, 'backup', 'catalog.db')), '600')
    assert.equal(modeOf(join(folder, 'backup', 'sites')), '700')
  })

  it('is made private once if an earlier version left it open to others, and the log says so', () => {
    logged.length = 0
    writeFileSync(join(folder, 'catalog.db'), '')
    chmodSync(folder, 0o755)
    prepareDataDir({ dataDir: folder, dataGroup: undefined }, logger)
    prepareDataDir({ dataDir: folder, dataGroup: undefined }, logger)
    assert.equal(modeOf(folder), '700')
    assert.deepEqual(logged, ['DATA_DIR had the mode 0755; it is now 0700'])
  })

  it('is made private without a word before it has data, as in a new clone', () => {
    logged.length = 0
    const fresh = join(folder, 'fresh')
    mkdirSync(fresh, { mode: 0o755 })
    prepareDataDir({ dataDir: fresh, dataGroup: undefined }, logger)
    assert.deepEqual([modeOf(fresh), logged], ['700', []])
  })

  it('must be usable, and DATA_GROUP a group: the message names what is wrong', () => {
    writeFileSync(join(folder, 'file'), '')
    const at = (dataDir: string, dataGroup?: string) => () => prepareDataDir({ dataDir, dataGroup }, logger)
    assert.throws(at(join(folder, 'file', 'data')), InvalidConfiguration)
    assert.throws(at(join(folder, 'file', 'data')), /DATA_DIR \(.*\) cannot be used: ENOTDIR/)
    assert.throws(at(join(folder, 'data'), 'no-such-group'), /DATA_GROUP is "no-such-group"/)
  })

  it('is refused with one line at a start if it cannot be used', async () => {
    writeFileSync(join(folder, 'file'), '')
    const { code, stderr } = await runPalimpsest({ DATA_DIR: join(folder, 'file', 'data'), PORT: '0' }, 'serve')
    assert.equal(code, 1)
    assert.match(stderr, /^palimpsest: The configuration has 1 problem/)
    assert.doesNotMatch(stderr, /\n {4}at /)
  })

  for (const command of [['keys', 'list'], ['workspaces', 'create', 'x', '--site', 'x'], ['fsck']]) {
    it(`is not changed if it is not the service's: ${command.join(' ')} is refused`, async () => {
      for (const dataDir of [folder, join(folder, 'missing')]) {
        const { code, stderr } = await runPalimpsest({ DATA_DIR: dataDir }, ...command)
        assert.equal(code, 1)
        assert.match(stderr, /holds no data of a service/)
      }
      assert.deepEqual(readdirSync(folder), [])
    })
  }
})
