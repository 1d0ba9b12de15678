import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ServiceError } from '../../../src/model/errors.js'
import { parsePagePath } from '../../../src/model/paths/page-path.js'
import { Store } from '../../../src/repository/store.js'
import type { Operation } from '../../../src/repository/protocol/write.js'
import type { Written } from '../../../src/repository/protocol/written.js'
import { assertSound, git, withClone } from '../../support/git.js'
import { runHere } from '../../programs/shell.js'

const LIMITS = { writerThreads: 1, diskReserveBytes: 0 }
const TIME = 1_790_000_000
/** `HISTORIES=500 npm test -- test/repository/operations/revert.test.ts` tries more. */
const HISTORIES = Number(process.env['HISTORIES'] ?? 1)
const COMMITS = 10
/** `docs` and `lib` are a file in some commits and a folder in others. */
const NAMES = [
  'a.html',
  'b.html',
  'guide/one.html',
  'docs',
  'docs/x.css',
  'docs/y.txt',
  'lib',
  'lib/app.js',
  'moved.css',
]

/** Also the diff of `git merge-file`: the strategy `ort` of git 2.39 takes no other than its own. */
const WITHOUT_RENAMES = ['--strategy=recursive', '-Xno-renames', '-Xdiff-algorithm=myers']

type Files = Map<string, string>

describe('a revert', function () {
  let dataDir: string
  let store: Store
  let site: { id: string; slug: string }

  const write = (operation: Operation) => store.write(site, { operation, author: 'Ada', time: TIME, trailers: [] })
  const revert = (...commits: string[]) => write({ kind: 'revert-commits', commits, withheld: [] })
  const publish = (path: string, html: string): Promise<Written> =>
    write({
      kind: 'publish-page',
      newId: randomUUID(),
      path: parsePagePath(path),
      html: Buffer.from(html),
      title: undefined,
      templateId: null,
      replace: true,
    })
  const gitdir = () => store.repositories.gitdir(site)
  const refusal = (code: string) => (error: unknown) => error instanceof ServiceError && error.code === code

  before(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-revert-'))
    store = new Store({ dataDir, limits: LIMITS })
  })
  beforeEach(async () => {
    const id = randomUUID()
    site = { id, slug: `site-${id.slice(0, 8)}` }
    await store.writers.createRepository(site, TIME)
  })
  after(async () => {
    await store.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  for (let seed = 1; seed <= HISTORIES; seed++) {
    it(`does to random history ${seed} what git revert without renames does to a clone of it`, async () => {
      const random = randomFrom(seed)
      const commits = importHistory(gitdir(), random)
      const clone = cloneOf(gitdir(), dataDir)
      for (const commit of commits) {
        const head = git(gitdir(), 'rev-parse', 'main')
        const expected = revertByGit(clone, head, commit)
        const made = await revert(commit).catch((error: unknown) => error)
        const because = `revert of ${commit} on ${head}, seed ${seed}`
        if (expected === 'conflict') assert.ok(refusal('revert_conflict')(made), `${because}: ${String(made)}`)
        else assert.deepEqual(filesOf(gitdir(), 'main'), expected, `${because}: ${String(made)}`)
      }
      assertSound(gitdir())
    })
  }

  for (let seed = HISTORIES + 1; seed <= HISTORIES + 4; seed++) {
    it(`undoes several commits of random history ${seed} as git revert does, the newest first`, async () => {
      const random = randomFrom(seed)
      const commits = importHistory(gitdir(), random).filter(() => random(2) === 0)
      const clone = cloneOf(gitdir(), dataDir)
      const expected = revertByGit(clone, 'HEAD', ...commits.toReversed())
      const made = await revert(...commits.toReversed()).catch((error: unknown) => error)
      if (expected === 'conflict') assert.ok(refusal('revert_conflict')(made), String(made))
      else assert.deepEqual(filesOf(gitdir(), 'main'), expected, String(made))
      assertSound(gitdir())
    })
  }

  it('undoes many commits in one, without those between them, and can be undone itself', async () => {
    const mine: string[] = []
    for (let i = 0; i < 30; i++) {
      mine.push((await publish(`/mine-${i % 10}`, `mine ${i}`)).commit)
      await publish(`/other-${i % 10}`, `other ${i}`)
    }
    const before = filesOf(gitdir(), 'main')
    const undone = await revert(...mine.toReversed())
    const left = Object.keys(filesOf(gitdir(), 'main')).filter((path) => path.endsWith('.html'))
    assert.deepEqual(
      left.toSorted(),
      Object.keys(before).filter((path) => path.startsWith('other-')),
    )
    assert.equal(git(gitdir(), 'log', '-1', '--format=%s', 'main'), 'Revert 30 commits')
    assert.equal(git(gitdir(), 'log', '-1', '--format=%b', 'main').match(/^This reverts commit /gm)?.length, 30)
    await revert(undone.commit)
    assert.deepEqual(filesOf(gitdir(), 'main'), before)
    assertSound(gitdir())
  })

  it('names every commit that conflicts, and undoes the others if these are left out', async () => {
    await publish('/a', 'one\n')
    const conflicting = await publish('/a', 'two\n')
    const free = await publish('/b', 'mine\n')
    await publish('/a', 'three\n')
    await assert.rejects(revert(free.commit, conflicting.commit), (error) => {
      const { conflicts } = (error as ServiceError).details as { conflicts: { commit: string; path: string }[] }
      assert.deepEqual(
        conflicts.map(({ commit, path }) => [commit, path]),
        [[conflicting.commit, 'a.html']],
      )
      return refusal('revert_conflict')(error)
    })
    assert.equal(git(gitdir(), 'show', 'main:b.html'), 'mine')
    await revert(free.commit)
    assert.deepEqual(
      Object.keys(filesOf(gitdir(), 'main')).filter((path) => path.endsWith('.html')),
      ['a.html'],
    )
  })

  it('publishes no withheld bytes again', async () => {
    await publish('/a', 'secret\n')
    const { commit } = await publish('/a', 'public\n')
    const withheld = [git(gitdir(), 'rev-parse', 'main~1:a.html')]
    await assert.rejects(write({ kind: 'revert-commits', commits: [commit], withheld }), refusal('conflict'))
    assert.equal(git(gitdir(), 'show', 'main:a.html'), 'public')
  })

  it('is made on top of earlier writes of its batch', async () => {
    const { commit } = await publish('/a', 'one')
    const writes = Array.from({ length: 20 }, (_, i) => publish(`/page-${i}`, 'two'))
    const reverted = await revert(commit)
    await Promise.all(writes)
    assert.equal(reverted.changed, true)
    const names = git(gitdir(), 'ls-tree', '--name-only', 'main').split('\n')
    assert.equal(names.filter((name) => name.startsWith('page-')).length, 20)
    assert.equal(names.includes('a.html'), false)
  })

  it('builds on writes to its files that came while it was prepared', async () => {
    const page = (first: string, last: string) => `${first}\n${'middle\n'.repeat(20)}${last}\n`
    await publish('/a', page('one', 'one'))
    const { commit } = await publish('/a', page('two', 'one'))
    const [, reverted] = await Promise.all([publish('/a', page('two', 'three')), revert(commit)])
    assert.equal(reverted.changed, true)
    assert.equal(`${git(gitdir(), 'show', 'main:a.html')}\n`, page('one', 'three'))
  })

  it('keeps the sidecar of a page that it removes, also if that was changed since', async () => {
    const made = await publish('/a', 'one')
    const page = {
      id: made.id,
      path: parsePagePath('/a'),
      lastChange: made.commit,
      asOf: made.commit,
      titleIsSet: false,
    }
    await write({ kind: 'retitle-page', page, title: 'Renamed' })
    await revert(made.commit)
    const files = git(gitdir(), 'ls-tree', '-r', '--name-only', 'main').split('\n')
    assert.deepEqual(files, [`.pages/${made.id.slice(0, 2)}/${made.id}.json`, '.site.json'])
    assert.equal((await publish('/a', 'again')).id, made.id)
  })

  it('refuses a commit that is not on the first-parent history, and the first one', async () => {
    const [first = ''] = git(gitdir(), 'rev-list', 'main').split('\n')
    await assert.rejects(revert(first), refusal('conflict'))
    await assert.rejects(revert('0'.repeat(40)), refusal('version_not_found'))
    const side = await withClone(gitdir(), (folder) => {
      git(folder, 'checkout', '--quiet', '-b', 'side')
      git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'Beside')
      git(folder, 'push', '--quiet', 'origin', 'side')
      return git(folder, 'rev-parse', 'HEAD')
    })
    await assert.rejects(revert(side), refusal('version_not_found'))
  })

  it('shows the lines that conflict', async () => {
    await publish('/a', 'one\n')
    const { commit } = await publish('/a', 'two\n')
    await publish('/a', 'three\n')
    await assert.rejects(revert(commit), (error) => {
      assert.ok(refusal('revert_conflict')(error))
      const { conflicts } = (error as ServiceError).details as { conflicts: { path: string; hunks: string }[] }
      assert.deepEqual(
        conflicts.map(({ path }) => path),
        ['a.html'],
      )
      assert.match(conflicts[0]?.hunks ?? '', /<<<<<<<[^]*three[^]*=======[^]*one[^]*>>>>>>>/)
      return true
    })
  })
})

/** Commits on main, oldest first, made by `git fast-import`. */
function importHistory(gitdir: string, random: (below: number) => number): string[] {
  const head = git(gitdir, 'rev-parse', 'main')
  let files: Files = new Map()
  let stream = ''
  for (let i = 0; i < COMMITS; i++) {
    const next = changed(files, random)
    const message = `Commit ${i}`
    stream += `commit refs/heads/main\ncommitter Olga <olga@example.org> ${TIME + i} +0000\n`
    stream += `data ${message.length}\n${message}\n${i === 0 ? `from ${head}\n` : ''}`
    for (const path of files.keys()) if (!next.has(path)) stream += `D ${path}\n`
    for (const [path, text] of next) {
      if (files.get(path) !== text) stream += `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`
    }
    files = next
  }
  runHere({ command: ['git', '-C', gitdir, 'fast-import', '--quiet', '--force'], input: stream })
  return git(gitdir, 'rev-list', '--reverse', `${head}..main`).split('\n')
}

/** One commit's changes: lines are edited, files come, go, move, and take the place of folders. */
function changed(files: Files, random: (below: number) => number): Files {
  const next = new Map(files)
  for (let changes = 1 + random(3); changes > 0; changes--) {
    const name = NAMES[random(NAMES.length)] ?? ''
    const [other] = [...next.keys()].slice(random(Math.max(next.size, 1)))
    const what = random(5)
    if (what === 0) next.delete(name)
    else if (what === 1 && other !== undefined) {
      const text = next.get(other) ?? ''
      next.delete(other)
      put(next, name, text)
    } else put(next, name, edited(next.get(name) ?? linesOf(name), random))
  }
  return next
}

function put(files: Files, name: string, text: string): void {
  for (const path of files.keys()) {
    if (path.startsWith(`${name}/`) || name.startsWith(`${path}/`)) files.delete(path)
  }
  files.set(name, text)
}

function linesOf(name: string): string {
  return Array.from({ length: 12 }, (_, i) => `${name} line ${i}\n`).join('')
}

function edited(text: string, random: (below: number) => number): string {
  const lines = text.split('\n')
  lines[random(lines.length - 1)] = `edit ${random(1000)}`
  return lines.join('\n')
}

/** Makes a clone that reads the objects of the repository itself, also later ones. */
function cloneOf(gitdir: string, parent: string): string {
  const folder = mkdtempSync(join(parent, 'clone-'))
  git(parent, 'clone', '--quiet', '--shared', gitdir, folder)
  return folder
}

/**
 * The files outside `.pages/` that git's own revert on `head` leaves, or that it finds a conflict. Nothing left to commit is no
 * conflict.
 */
function revertByGit(clone: string, head: string, ...commits: string[]): Record<string, string> | 'conflict' {
  git(clone, 'reset', '--quiet', '--hard', head)
  for (const commit of commits) {
    try {
      git(clone, 'revert', '--no-edit', ...WITHOUT_RENAMES, commit)
    } catch {
      if (git(clone, 'ls-files', '--unmerged') !== '') {
        git(clone, 'reset', '--quiet', '--hard')
        git(clone, 'clean', '--quiet', '--force', '-d')
        return 'conflict'
      }
      // Nothing was left to commit.
      git(clone, 'revert', '--quit')
    }
  }
  return filesOf(clone, 'HEAD')
}

function filesOf(repository: string, commit: string): Record<string, string> {
  const lines = git(repository, 'ls-tree', '-r', '--format=%(objectmode) %(objectname) %(path)', commit).split('\n')
  const files = lines.map((line) => [line.slice(48), line.slice(0, 47)] as const)
  return Object.fromEntries(files.filter(([path]) => !path.startsWith('.pages/')))
}

/** Numbers below a bound, the same for the same seed (mulberry32). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed * 0x9e3779b9
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) % below
  }
}
