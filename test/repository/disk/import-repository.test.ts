import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ServiceError } from '../../../src/model/errors.js'
import { DiskRepositories } from '../../../src/repository/disk/disk-repositories.js'
import { importFrom } from '../../../src/repository/disk/import-repository.js'
import { git } from '../../support/git.js'
import { runHere } from '../../programs/shell.js'

const TIME = 1_790_000_000

describe('an import', () => {
  let root: string
  let source: string
  let repositories: DiskRepositories

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'palimpsest-import-'))
    source = join(root, 'source.git')
    mkdirSync(join(root, 'data'))
    git(root, 'init', '--quiet', '--bare', '--initial-branch=main', source)
    repositories = new DiskRepositories(join(root, 'data'))
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  const withInput = (input: string, ...args: string[]) =>
    runHere({ command: ['git', '-C', source, ...args], input })
      .toString()
      .trim()
  const blob = () => withInput('text', 'hash-object', '-w', '--stdin')
  const tree = (...entries: string[]) =>
    withInput(entries.map((entry) => `${entry}\0`).join(''), 'mktree', '-z', '--missing')
  const commit = (folder: string) => {
    const identity = ['-c', 'user.name=Olga', '-c', 'user.email=olga@example.org']
    git(source, 'update-ref', 'refs/heads/main', git(source, ...identity, 'commit-tree', '-m', 'Made by hand', folder))
  }
  const refused = (words: RegExp) => (error: unknown) => {
    assert.ok(error instanceof ServiceError && error.code === 'conflict', String(error))
    assert.match(error.message, words)
    // Nothing is left of it.
    assert.deepEqual(readdirSync(join(root, 'data')), [])
    return true
  }

  it('refuses a tree of 10,000,000,000 files, as a push would', async () => {
    let folder = tree(...Array.from({ length: 10 }, (_, i) => `100644 blob ${blob()}\t${i}.css`))
    for (let depth = 1; depth < 10; depth++) {
      folder = tree(...Array.from({ length: 10 }, (_, i) => `040000 tree ${folder}\t${i}`))
    }
    commit(folder)
    await assert.rejects(
      importFrom(repositories.dataDir, source, randomUUID(), TIME),
      refused(/more than 500,000 files/),
    )
  })

  it('refuses names that a push may not have', async () => {
    commit(tree(`100644 blob ${blob()}\tback\\slash.css`))
    await assert.rejects(importFrom(repositories.dataDir, source, randomUUID(), TIME), refused(/backslash/))
  })

  it('gives a repository an id of its own if .site.json is no file', async () => {
    for (const entry of [`040000 tree ${tree(`100644 blob ${blob()}\ta`)}`, `160000 commit ${'1'.repeat(40)}`]) {
      commit(tree(`${entry}\t.site.json`, `100644 blob ${blob()}\ta.css`))
      const newId = randomUUID()
      const imported = await importFrom(repositories.dataDir, source, newId, TIME)
      assert.equal(imported.siteId, newId)
      const site = { id: newId, slug: `site-${newId.slice(0, 8)}` }
      repositories.adopt(site, imported.gitdir)
      const gitdir = repositories.gitdir(site)
      assert.equal(git(gitdir, 'show', 'main:.site.json'), `{"format":1,"id":"${newId}"}`)
    }
  })
})
