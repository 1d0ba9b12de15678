// The commands that have a second program read what ours has read.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { put } from '../../scenarios/client.js'
import { type Finished, runPalimpsest } from '../../scenarios/serve-process.js'
import { git } from '../../support/git.js'
import { startOwnService, type TestService } from '../../support/service.js'

/** Puts a file that is no object beside the packed object: our own reader takes the pack, isomorphic-git the file. */
function shadow(gitdir: string, oid: string): string {
  const file = join(gitdir, 'objects', oid.slice(0, 2), oid.slice(2))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, 'no object')
  return file
}

describe('the second reader of the commands', () => {
  let service: TestService
  let folder: string

  before(async () => {
    service = await startOwnService()
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-readers-'))
    await put(service.api(), '/about', '<h1>about</h1>')
  })
  after(async () => {
    rmSync(folder, { recursive: true, force: true })
    await service.stop()
  })

  const palimpsest = (...args: string[]): Promise<Finished> => runPalimpsest({ DATA_DIR: service.dataDir }, ...args)
  const about = () => git(service.gitdir(), 'rev-parse', 'main:about.html')

  it('agrees with ours on a sound site, while the service runs', async () => {
    const { code, stdout, stderr } = await palimpsest('fsck', '--second-reader')
    assert.deepEqual([code, stdout], [0, ''], stderr)
    assert.equal(stderr, 'Checking sites\ndemo: sound\nAll sites are sound\n')
  })

  it('makes fsck end with 1 and name the path and the object that it finds otherwise', async () => {
    const file = shadow(service.gitdir(), about())
    try {
      const { code, stdout } = await palimpsest('fsck', '--second-reader', 'demo')
      assert.equal(code, 1)
      const expected = `demo: second reader: about.html (${about()}): isomorphic-git does not read it: `
      assert.ok(stdout.includes(expected), stdout)
      assert.match(stdout, /docs\/repair\.md, "Two readers"/)
    } finally {
      rmSync(file)
    }
  })

  it('verifies a finished backup, and makes the command end with 1 if a copy differs', async () => {
    const dir = join(folder, 'backup')
    const sound = await palimpsest('backup', '--verify', dir)
    assert.equal(sound.code, 0, sound.stderr)
    assert.match(sound.stderr, /Verifying 1 site\(s\)\ndemo: both readers agree\nBoth readers agree on all copies\n$/)
    shadow(join(dir, 'sites', 'demo.git'), about())
    const damaged = await palimpsest('backup', '--verify', dir)
    assert.equal(damaged.code, 1)
    assert.ok(
      damaged.stderr.includes(`demo: about.html (${about()}): isomorphic-git does not read it: `),
      damaged.stderr,
    )
    assert.equal((await palimpsest('backup', dir)).code, 0)
  })
})
