import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { DiskRepositories } from '../../../src/repository/disk/disk-repositories.js'
import type { SiteRef } from '../../../src/repository/protocol/write.js'
import { git } from '../../support/git.js'

const TIME = 1_790_000_000

describe("a thread's knowledge that a head is durable", () => {
  const site = { id: randomUUID(), slug: 'demo' }
  const { PATH } = process.env
  let root: string
  let repositories: DiskRepositories

  /** Runs in place of sync(1) and counts. */
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'palimpsest-durable-'))
    mkdirSync(join(root, 'bin'))
    mkdirSync(join(root, 'data'))
    writeFileSync(join(root, 'syncs'), '')
    writeFileSync(join(root, 'bin', 'sync'), `#!/bin/sh\necho "$*" >>'${join(root, 'syncs')}'\n`)
    chmodSync(join(root, 'bin', 'sync'), 0o755)
    process.env['PATH'] = `${join(root, 'bin')}${delimiter}${PATH}`
    new DiskRepositories(join(root, 'data')).create(site, TIME)
    repositories = new DiskRepositories(join(root, 'data'))
  })
  afterEach(() => {
    process.env['PATH'] = PATH
    rmSync(root, { recursive: true, force: true })
  })

  const syncs = () => readFileSync(join(root, 'syncs'), 'utf8').split('\n').length - 1
  const openAndBuild = (of: SiteRef = site) => {
    const writer = repositories.openForWriting(of)
    try {
      return writer.headToBuildOn()
    } finally {
      writer.close()
    }
  }

  it('is kept when the site is closed: its file system is synced once', () => {
    openAndBuild()
    assert.equal(syncs(), 1)
    openAndBuild()
    assert.equal(syncs(), 1)
  })

  it('covers a site that the thread made', () => {
    const made = { id: randomUUID(), slug: 'made' }
    repositories.create(made, TIME)
    openAndBuild(made)
    assert.equal(syncs(), 0)
  })

  it('comes from a sync outside of the thread, which then makes none itself', async () => {
    const writer = repositories.openForWriting(site)
    try {
      const first = writer.untilHeadIsDurable()
      assert.ok(first !== undefined)
      assert.equal(writer.untilHeadIsDurable(), first)
      await first
      assert.equal(writer.untilHeadIsDurable(), undefined)
      writer.headToBuildOn()
      assert.equal(syncs(), 1)
    } finally {
      writer.close()
    }
  })

  it('does not cover a head whose sync outside of the thread failed', async () => {
    const writer = repositories.openForWriting(site)
    try {
      writeFileSync(join(root, 'bin', 'sync'), '#!/bin/sh\nexit 1\n')
      await writer.untilHeadIsDurable()
      assert.equal(writer.untilHeadIsDurable(), undefined)
      assert.throws(() => writer.headToBuildOn(), { code: 'EIO' })
    } finally {
      writer.close()
    }
  })

  it('does not cover a commit of an operator, nor another folder in its place', () => {
    openAndBuild()
    const gitdir = repositories.gitdir(site)
    const tree = git(gitdir, 'rev-parse', 'main^{tree}')
    git(gitdir, 'update-ref', 'refs/heads/main', git(gitdir, 'commit-tree', tree, '-p', 'main', '-m', 'By hand'))
    const before = syncs()
    openAndBuild()
    assert.equal(syncs(), before + 1)
    renameSync(gitdir, `${gitdir}.own`)
    cpSync(`${gitdir}.own`, gitdir, { recursive: true })
    openAndBuild()
    assert.equal(syncs(), before + 2)
  })

  it("does not let a writer into another site's repository, also if that replaced the own one while it was open", () => {
    const other = { id: randomUUID(), slug: 'other' }
    repositories.create(other, TIME)
    const writer = repositories.openForWriting(site)
    try {
      writer.headToBuildOn()
      renameSync(repositories.gitdir(site), join(root, 'own.git'))
      cpSync(repositories.gitdir(other), repositories.gitdir(site), { recursive: true })
      for (const look of [() => writer.headToBuildOn(), () => writer.head()]) {
        assert.throws(look, { name: 'OtherSitesRepository' })
      }
      assert.equal(git(repositories.gitdir(site), 'for-each-ref', 'refs/palimpsest'), '')
    } finally {
      writer.close()
    }
  })
})
