import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { DataDirInUse, lockDataDir } from '../../../src/catalog/sqlite/data-dir-lock.js'
import { useTemporaryFolders } from '../temporary-folder.js'

const module = new URL('../../../src/catalog/sqlite/data-dir-lock.js', import.meta.url).href

/** A real other process that holds the lock until it is killed. */
async function holdLock(folder: string): Promise<ChildProcess> {
  const script = `const { lockDataDir } = await import(${JSON.stringify(module)})
    lockDataDir(process.argv[1])
    process.stdout.write('locked')
    setInterval(() => undefined, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script, '--', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = await once(child.stdout, 'data')
  assert.equal(String(said), 'locked')
  return child
}

describe('the lock of the data directory', () => {
  const makeFolder = useTemporaryFolders()

  it('refuses a second owner, and lets the next one in after release', () => {
    const folder = makeFolder()
    const release = lockDataDir(folder)
    assert.throws(() => lockDataDir(folder), DataDirInUse)
    release()
    lockDataDir(folder)()
  })

  it('is held by another process until kill -9, and then free at once', async () => {
    const folder = makeFolder()
    const owner = await holdLock(folder)
    assert.throws(() => lockDataDir(folder), DataDirInUse)
    owner.kill('SIGKILL')
    await once(owner, 'exit')
    lockDataDir(folder)()
  })

  it('does not keep another data directory', () => {
    const release = lockDataDir(makeFolder())
    lockDataDir(makeFolder())()
    release()
  })

  it('says what is wrong when the directory does not exist', () => {
    assert.throws(
      () => lockDataDir(`${makeFolder()}/missing`),
      (error) => error instanceof Error && !(error instanceof DataDirInUse),
    )
  })
})
