import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../../src/git/repository/config-file.js'
import { OperatorPause } from '../../../src/repository/disk/operator-pause.js'
import { PATIENCE_MS, within } from '../../support/within.js'

describe('the pause for an operator', () => {
  let gitdir: string
  let pause: OperatorPause
  beforeEach(() => {
    gitdir = mkdtempSync(join(tmpdir(), 'palimpsest-pause-'))
    mkdirSync(join(gitdir, 'objects'))
    writeFileSync(join(gitdir, 'config'), '[core]\n')
    // Written a while ago: the kernel's times are coarse, and a reading must be seen to come after.
    utimesSync(join(gitdir, 'config'), 1_700_000_000, 1_700_000_000)
    pause = new OperatorPause(gitdir)
  })
  afterEach(() => rmSync(gitdir, { recursive: true, force: true }))

  /** Reads the settings, as every git process does when it begins. */
  const runGit = () => void readFileSync(join(gitdir, 'config'))
  const incoming = () => join(gitdir, 'objects', 'tmp_objdir-incoming-abc')

  it('keeps main still once git was seen at a busy site', () => {
    assert.equal(pause.holdFor(0), 0)
    assert.equal(pause.holdFor(100), 0)
    runGit()
    assert.equal(pause.holdFor(200), 400)
    assert.equal(pause.holdFor(500), 100)
    assert.equal(pause.holdFor(600), 0)
  })

  it("does not mistake the service's own look at the settings for git", () => {
    pause.holdFor(0)
    readConfig(gitdir)
    assert.equal(pause.holdFor(100), 0)
    runGit()
    assert.equal(pause.holdFor(200), 400)
  })

  it('lets the first write after a while through, even if git looked at the repository', () => {
    pause.holdFor(0)
    runGit()
    assert.equal(pause.holdFor(5000), 0)
  })

  it('goes on while a push comes in, up to a limit, and then lets main move for half as long', () => {
    pause.holdFor(0)
    runGit()
    assert.equal(pause.holdFor(100), 400)
    mkdirSync(incoming())
    assert.equal(pause.holdFor(500), 400)
    assert.equal(pause.holdFor(900), 400)
    assert.equal(pause.holdFor(1300), 0)
    assert.equal(pause.holdFor(1800), 0)
    assert.ok(pause.holdFor(1900) > 0)
    rmdirSync(incoming())
  })

  it('lasts longer after each refused push, and as before once a push has landed', () => {
    const push = (now: number): number => {
      mkdirSync(incoming())
      const hold = pause.holdFor(now)
      rmdirSync(incoming())
      return hold
    }
    pause.holdFor(0)
    assert.equal(push(100), 400)
    assert.equal(pause.holdFor(500), 0)
    assert.equal(push(800), 800)
    assert.equal(pause.holdFor(1600), 0)
    assert.equal(push(2100), 1600)
    assert.equal(pause.holdFor(3700), 0)
    pause.pushLanded()
    pause.holdFor(4600)
    assert.equal(push(4700), 400)
  })

  it('keeps main still once a process of git serves a push or a fetch, also on a disk without access times', async () => {
    for (const command of ['git-receive-pack', 'git-upload-pack']) {
      const repository = join(gitdir, `${command}.git`)
      mkdirSync(repository)
      const own = new OperatorPause(repository)
      own.holdFor(performance.now())
      const process = spawn('cat', [], { argv0: `${command} '${repository}'` })
      try {
        await once(process, 'spawn')
        // The list of processes is looked at the more rarely the longer a look takes.
        await within(PATIENCE_MS, () => assert.ok(own.holdFor(performance.now()) > 0, `${command} was not seen`))
      } finally {
        process.kill()
      }
    }
  })

  it('remembers a process that began while main had to be free', () => {
    pause.holdFor(0)
    runGit()
    pause.holdFor(100)
    assert.equal(pause.holdFor(500), 0)
    runGit()
    assert.equal(pause.holdFor(600), 0)
    assert.equal(pause.holdFor(710), 400)
  })
})
