import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { RefLocked, RefMoved, RepositoryInvalid } from '../../../src/git/objects/errors.js'
import { lockRef, moveRef, readRef, refMark, refuseLocked } from '../../../src/git/repository/ref.js'
import { openRepository } from '../../../src/git/repository/repository.js'
import { SITE_HOOKS } from '../../../src/repository/hooks/site-hooks.js'
import { assertSound, git } from '../../support/git.js'
import { finished, gitRefusal, IDENTITY, LOG, MAIN, spawnGit, storeCommit, withSite } from '../scratch-repository.js'
import { PATIENCE_MS, within } from '../../support/within.js'

const SITE = { 'index.html': 'hello' }
const LOCK = `${MAIN}.lock`

function publish(gitdir: string, parent: string, files: Record<string, string>): string {
  const { oid, pack } = storeCommit(gitdir, files, [parent])
  moveRef(gitdir, MAIN, parent, oid, LOG)
  pack.release()
  return oid
}

/** Runs one of this folder's scripts in a process of its own; resolves once it prints its first line. */
async function startHelper(script: string, ...args: string[]) {
  const path = fileURLToPath(new URL(script, import.meta.url))
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const done = finished(child)
  await new Promise((resolve) => child.stdout.once('data', resolve))
  return { child, done }
}

/** Reads again and again until `end` settles; answers how often. */
async function readUntil(end: Promise<unknown>, read: () => void): Promise<number> {
  const state = { ended: false }
  const settled = end.finally(() => (state.ended = true))
  let reads = 0
  for (; !state.ended; reads++) {
    read()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await settled
  return reads
}

describe('a ref', () => {
  it('is moved where git reads it, with a line in the reflog', () => {
    withSite(SITE, (gitdir, first) => {
      const next = publish(gitdir, first, { ...SITE, 'about.html': 'us' })
      assert.equal(readRef(gitdir, MAIN), next)
      assert.equal(git(gitdir, 'rev-parse', 'HEAD'), next)
      assert.equal(git(gitdir, 'show', 'main:about.html'), 'us')
      assert.equal(git(gitdir, 'reflog', 'main', '--format=%H %gs %gn'), `${next} ${LOG.message} ${IDENTITY.name}`)
      assert.equal(readFileSync(join(gitdir, MAIN), 'latin1'), `${next}\n`)
      assert.ok(!existsSync(join(gitdir, LOCK)))
      assertSound(gitdir)
    })
  })

  it('is created only if the caller expects that it does not exist', () => {
    withSite(SITE, (gitdir, first) => {
      const name = `refs/palimpsest/lost/${first}`
      assert.equal(readRef(gitdir, name), undefined)
      assert.throws(() => moveRef(gitdir, name, first, first, LOG), RefMoved)
      moveRef(gitdir, name, undefined, first, LOG)
      assert.equal(git(gitdir, 'rev-parse', name), first)
      assert.throws(() => moveRef(gitdir, name, undefined, first, LOG), RefMoved)
    })
  })

  it('is not moved if it has moved since, and the error has its value', () => {
    withSite(SITE, (gitdir, first) => {
      const next = publish(gitdir, first, { 'index.html': 'theirs' })
      const { oid } = storeCommit(gitdir, { 'index.html': 'ours' }, [first])
      assert.throws(
        () => moveRef(gitdir, MAIN, first, oid, LOG),
        (error: unknown) => error instanceof RefMoved && error.found === next,
      )
      assert.equal(readRef(gitdir, MAIN), next)
      assert.ok(!existsSync(join(gitdir, LOCK)))
    })
  })

  it('is read and moved after git packed it, also when its folder is gone', () => {
    withSite(SITE, (gitdir, first) => {
      git(gitdir, 'tag', 'v1', first)
      git(gitdir, 'pack-refs', '--all', '--prune')
      rmSync(join(gitdir, 'refs', 'heads'), { recursive: true, force: true })
      assert.equal(readRef(gitdir, MAIN), first)
      assert.equal(readRef(gitdir, 'refs/tags/v1'), first)
      assert.equal(readRef(gitdir, 'refs/heads/mai'), undefined)
      assert.equal(readRef(gitdir, 'heads/main'), undefined)
      const next = publish(gitdir, first, { 'index.html': 'again' })
      assert.equal(git(gitdir, 'rev-parse', 'main'), next)
      git(gitdir, 'pack-refs', '--all', '--prune')
      assert.equal(readRef(gitdir, MAIN), next)
      assertSound(gitdir)
    })
  })

  it('is a new file after each move: an open old file keeps its content, and its second name is removed', async () => {
    await withSite(SITE, async (gitdir, first) => {
      const fd = openSync(join(gitdir, MAIN), 'r')
      let head = first
      for (let i = 0; i < 20; i++) head = publish(gitdir, head, { ...SITE, 'about.html': `${i}` })
      assert.equal(readFileSync(fd, 'latin1'), `${first}\n`)
      closeSync(fd)
      assert.equal(statSync(join(gitdir, MAIN)).nlink, 1)
      const left = () => readdirSync(join(gitdir, 'palimpsest')).filter((name) => name.startsWith('ref-'))
      await within(PATIENCE_MS, () => assert.deepEqual(left(), []))
      assertSound(gitdir)
    })
  })

  it('is unchanged when a second name of its file, left by a crash, is removed', () => {
    withSite(SITE, (gitdir, first) => {
      const left = join(gitdir, 'palimpsest', 'ref-1.1.00000000-0-0')
      mkdirSync(dirname(left), { recursive: true })
      linkSync(join(gitdir, MAIN), left)
      openRepository(gitdir, SITE_HOOKS)
      assert.ok(!existsSync(left))
      assert.equal(readRef(gitdir, MAIN), first)
    })
  })

  it('makes the repository invalid when it is empty, cut short or not an oid', () => {
    withSite(SITE, (gitdir, first) => {
      for (const text of ['', first.slice(0, 20), 'ref: refs/heads/other\n', '\0'.repeat(41)]) {
        writeFileSync(join(gitdir, MAIN), text)
        assert.throws(() => readRef(gitdir, MAIN), RepositoryInvalid)
      }
    })
  })

  it('does not exist if a folder has its name', () => {
    withSite(SITE, (gitdir, first) => {
      moveRef(gitdir, 'refs/heads/topic/one', undefined, first, LOG)
      assert.equal(readRef(gitdir, 'refs/heads/topic'), undefined)
    })
  })

  it('is never made in a repository that is gone', () => {
    withSite(SITE, (gitdir, first) => {
      rmSync(gitdir, { recursive: true })
      assert.throws(() => moveRef(gitdir, MAIN, undefined, first, LOG))
      assert.ok(!existsSync(gitdir))
    })
  })
})

describe('the mark of a ref', () => {
  const settle = () => pause(50)
  const moveTo = (gitdir: string, oid: string) => {
    const path = join(gitdir, MAIN)
    writeFileSync(`${path}.new`, `${oid}\n`)
    renameSync(`${path}.new`, path)
  }

  it('is never the same for two values, even if thousands of moves fall into a few clock ticks', () => {
    withSite(SITE, (gitdir) => {
      const seen = new Map<string, string>()
      for (let i = 0; i < 3000; i++) {
        const oid = String(i).padStart(40, '0')
        moveTo(gitdir, oid)
        const mark = refMark(gitdir, MAIN)
        if (mark === undefined) continue
        assert.equal(seen.get(mark) ?? oid, oid)
        seen.set(mark, oid)
      }
    })
  })

  it('stays the same until the ref moves, loose or packed, and differs after each move', async () => {
    await withSite(SITE, async (gitdir, first) => {
      const marks: (string | undefined)[] = []
      const note = async () => {
        await settle()
        marks.push(refMark(gitdir, MAIN))
        assert.equal(refMark(gitdir, MAIN), marks.at(-1))
      }
      await note()
      const second = publish(gitdir, first, { ...SITE, 'about.html': 'us' })
      await note()
      git(gitdir, 'pack-refs', '--all')
      assert.ok(!existsSync(join(gitdir, MAIN)))
      await note()
      publish(gitdir, second, { ...SITE, 'about.html': 'them' })
      git(gitdir, 'pack-refs', '--all')
      await note()
      assert.ok(!marks.includes(undefined), String(marks))
      assert.equal(new Set(marks).size, marks.length)
    })
  })

  it('is undefined if there is no such ref', () => {
    withSite(SITE, (gitdir) => assert.equal(refMark(gitdir, 'refs/heads/none'), undefined))
  })
})

describe('the lock of a ref', () => {
  it("is git's own: git respects ours", async () => {
    await withSite(SITE, async (gitdir, first) => {
      const { oid, pack } = storeCommit(gitdir, { 'index.html': '2' }, [first])
      pack.release()
      const locked = lockRef(gitdir, MAIN)
      assert.match(gitRefusal(gitdir, 'update-ref', MAIN, oid), /main\.lock': File exists/)
      assert.equal(locked.read(), first)
      locked.release()
      locked.release()
      assert.equal((await spawnGit(gitdir, 'update-ref', MAIN, oid)).code, 0)
    })
  })

  it('is left in place if git holds it, and is not waited for', () => {
    withSite(SITE, (gitdir, first) => {
      const { oid } = storeCommit(gitdir, { 'index.html': '2' }, [first])
      writeFileSync(join(gitdir, LOCK), '', { flag: 'wx' })
      assert.throws(() => moveRef(gitdir, MAIN, first, oid, LOG), RefLocked)
      assert.throws(() => refuseLocked(gitdir, MAIN), RefLocked)
      assert.ok(existsSync(join(gitdir, LOCK)))
      rmSync(join(gitdir, LOCK))
      refuseLocked(gitdir, MAIN)
      moveRef(gitdir, MAIN, first, oid, LOG)
    })
  })

  it('can be held while a batch is built, and covers the move of the ref', () => {
    withSite(SITE, (gitdir, first) => {
      const locked = lockRef(gitdir, MAIN)
      const { oid, pack } = storeCommit(gitdir, { 'index.html': '2' }, [first])
      locked.commit(oid, LOG)
      pack.release()
      assert.ok(!existsSync(join(gitdir, LOCK)))
      locked.release()
      assert.equal(git(gitdir, 'rev-parse', 'main'), oid)
    })
  })

  it('is removed when the repository is opened after its process was killed', async () => {
    await withSite(SITE, async (gitdir, first) => {
      const { child, done } = await startHelper('hold-lock.js', gitdir, first)
      const keeps = () => readdirSync(join(gitdir, 'objects', 'pack')).filter((name) => name.endsWith('.keep'))
      assert.ok(statSync(join(gitdir, LOCK)).nlink > 1)
      assert.equal(keeps().length, 1)

      // Its process runs: a command at the same time as a service must not take its lock away.
      openRepository(gitdir, SITE_HOOKS)
      assert.ok(existsSync(join(gitdir, LOCK)))
      assert.equal(keeps().length, 1)
      assert.throws(() => moveRef(gitdir, MAIN, first, first, LOG), RefLocked)

      child.kill('SIGKILL')
      await done
      assert.ok(existsSync(join(gitdir, LOCK)))
      openRepository(gitdir, SITE_HOOKS)
      assert.ok(!existsSync(join(gitdir, LOCK)))
      assert.deepEqual(keeps(), [])
      assert.deepEqual(
        readdirSync(join(gitdir, 'palimpsest')).filter((name) => !name.startsWith('mark-')),
        ['pushers'],
      )
      publish(gitdir, first, { 'index.html': 'after' })
      assertSound(gitdir)
    })
  })

  it('is recognised as ours in a copied repository whose hard links became separate files', () => {
    withSite(SITE, (gitdir, first) => {
      const [mark = ''] = readdirSync(join(gitdir, 'palimpsest'))
      assert.match(mark, /^mark-/)
      const text = `palimpsest 1.1.${'0'.repeat(8)}\n`
      writeFileSync(join(gitdir, LOCK), text)
      mkdirSync(join(gitdir, 'refs/palimpsest/lost'), { recursive: true })
      writeFileSync(join(gitdir, 'palimpsest', 'other'), text)
      linkSync(join(gitdir, 'palimpsest', 'other'), join(gitdir, `refs/palimpsest/lost/${first}.lock`))
      openRepository(gitdir, SITE_HOOKS)
      assert.ok(!existsSync(join(gitdir, LOCK)))
      assert.ok(!existsSync(join(gitdir, `refs/palimpsest/lost/${first}.lock`)))
    })
  })

  it('is never removed if git made it, empty or with an oid in it', () => {
    withSite(SITE, (gitdir, first) => {
      for (const text of ['', `${first}\n`]) {
        writeFileSync(join(gitdir, LOCK), text)
        openRepository(gitdir, SITE_HOOKS)
        assert.equal(readFileSync(join(gitdir, LOCK), 'latin1'), text)
      }
    })
  })
})

describe('a hot ref', () => {
  it('loses no commit of several of our processes and of git update-ref, and no reader sees it torn', async () => {
    await withSite(SITE, async (gitdir, first) => {
      const writers = ['a', 'b'].map((name) => startHelper('publish-many.js', gitdir, name, '25'))
      const operator = (async () => {
        let landed = 0
        for (let i = 0; landed < 8 && i < 400; i++) {
          const head = git(gitdir, 'rev-parse', 'main')
          const next = git(gitdir, 'commit-tree', `${head}^{tree}`, '-p', head, '-m', `operator ${landed}`)
          if ((await spawnGit(gitdir, 'update-ref', MAIN, next, head)).code === 0) landed++
        }
        return landed
      })()
      const everyone = Promise.all([...writers.map(async (writer) => (await writer).done), operator])
      const reads = await readUntil(everyone, () => assert.match(readRef(gitdir, MAIN) ?? '', /^[0-9a-f]{40}$/))
      const landed = await operator
      const subjects = git(gitdir, 'log', '--first-parent', '--format=%s', 'main').split('\n')
      const expected = ['a', 'b'].flatMap((name) => Array.from({ length: 25 }, (_, i) => `${name} ${i}`))
      for (let i = 0; i < landed; i++) expected.push(`operator ${i}`)
      assert.deepEqual(subjects.toSorted(), [...expected, 'First'].toSorted())
      assert.equal(git(gitdir, 'rev-list', '--max-parents=0', 'main'), first)
      assert.ok(reads > 100)
      assertSound(gitdir)
    })
  })
})
