import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { DataDirInUse, type Hold, holdDataDir } from '../../../src/catalog/sqlite/data-dir-lock.js'
import { openSqlite } from '../../../src/catalog/sqlite/sqlite.js'
import { useTemporaryFolders } from '../temporary-folder.js'

const module = new URL('../../../src/catalog/sqlite/data-dir-lock.js', import.meta.url).href

/** A real other process that holds the folder until it is killed. */
async function holdElsewhere(folder: string, hold: Hold): Promise<ChildProcess> {
  const script = `const { holdDataDir } = await import(${JSON.stringify(module)})
    holdDataDir(process.argv[1], process.argv[2])
    process.stdout.write('held')
    setInterval(() => undefined, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script, '--', folder, hold], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = await once(child.stdout, 'data')
  assert.equal(String(said), 'held')
  return child
}

describe('the hold on the data directory', () => {
  const makeFolder = useTemporaryFolders()

  const beside: Record<Hold, Hold[]> = { reader: ['reader', 'writer'], writer: ['reader'], alone: [] }
  for (const [first, allowed] of Object.entries(beside) as [Hold, Hold[]][])
    it(`lets in, while one process has it as ${first}: ${allowed.join(', ') || 'none'}; and all after kill -9`, async () => {
      const folder = makeFolder()
      const owner = await holdElsewhere(folder, first)
      for (const second of ['reader', 'writer', 'alone'] as const)
        if (allowed.includes(second)) holdDataDir(folder, second)()
        else assert.throws(() => holdDataDir(folder, second), DataDirInUse, second)
      owner.kill('SIGKILL')
      await once(owner, 'exit')
      holdDataDir(folder, 'alone')()
    })

  it('is free once it is released', () => {
    const folder = makeFolder()
    const releases = [holdDataDir(folder, 'writer'), holdDataDir(folder, 'reader'), holdDataDir(folder, 'reader')]
    assert.throws(() => holdDataDir(folder, 'alone'), /stop all its processes first, those with the role sites too/)
    for (const release of releases) release()
    holdDataDir(folder, 'alone')()
  })

  it('is refused while a service of an earlier version runs, and works on the file that it left', () => {
    const folder = makeFolder()
    const old = openSqlite(`${folder}/serve.lock.db`, { synchronous: 'NORMAL', busyTimeout: 0 })
    old.exec('BEGIN EXCLUSIVE')
    for (const hold of ['reader', 'writer', 'alone'] as const)
      assert.throws(() => holdDataDir(folder, hold), DataDirInUse)
    old.close()
    holdDataDir(folder, 'writer')()
  })

  it('does not lock another data directory', () => {
    const release = holdDataDir(makeFolder(), 'alone')
    holdDataDir(makeFolder(), 'alone')()
    release()
  })

  it('reports a missing directory', () => {
    assert.throws(
      () => holdDataDir(`${makeFolder()}/missing`, 'reader'),
      (error) => error instanceof Error && !(error instanceof DataDirInUse),
    )
  })
})
