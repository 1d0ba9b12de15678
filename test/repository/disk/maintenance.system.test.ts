import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir, uptime } from 'node:os'
import { dirname, join } from 'node:path'
import { hooksPathOf } from '../../../src/git/repository/repository.js'
import { lockGc } from '../../../src/git/disk/gc-lock.js'
import { isMaintenanceDue, maintainRepository } from '../../../src/repository/disk/maintain.js'
import { Store } from '../../../src/repository/store.js'
import { installStoredBlob, peakMibOfChildren } from '../../git/git-memory.js'
import { MAIN, storeCommit, withSite, writeLooseTags } from '../../git/scratch-repository.js'
import { assertSound, git } from '../../support/git.js'
import { startOwnService } from '../../support/service.js'
import { PATIENCE_MS, within } from '../../support/within.js'
import { publishPage } from './publish-page.js'

const LIMITS = { writerThreads: 1, diskReserveBytes: 0 }
const WRITES = 230
const LARGE_BYTES = 16 * 1024 * 1024 + 1
const SMALL_BYTES = 200_000
const LARGE_FILES = 6
const MAX_GIT_MIB = 50

describe('maintenance', () => {
  it('joins the packs of many publishes by itself, while writing and reading go on', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-maintenance-'))
    const store = new Store({ dataDir, limits: LIMITS })
    const site = { id: randomUUID(), slug: 'demo' }
    try {
      await store.writers.createRepository(site, 1_790_000_000)
      const packs = () =>
        readdirSync(join(store.repositories.gitdir(site), 'objects', 'pack')).filter((file) => file.endsWith('.pack'))
      for (let i = 0; i < WRITES; i++) await publishPage(store, site, `/page-${i}`, `page ${i}`)
      await within(PATIENCE_MS, () => {
        assert.ok(packs().length <= 100, `${packs().length} packs are left`)
        assert.ok(!existsSync(join(store.repositories.gitdir(site), 'gc.pid')))
      })
      const snapshot = store.reader.snapshot(site)
      for (const i of [0, 100, WRITES - 1]) {
        const entry = snapshot.entry(`page-${i}.html`)
        assert.equal(snapshot.blob(entry?.oid ?? '').toString(), `page ${i}`)
      }
      assert.equal(git(store.repositories.gitdir(site), 'rev-list', '--count', 'main'), String(WRITES + 1))
      assertSound(store.repositories.gitdir(site))
      assert.deepEqual(store.troubles.list(), [])
    } finally {
      await store.close()
      rmSync(dataDir, { recursive: true, force: true })
    }
  })
})

describe('the maintenance of a running service', () => {
  it('reaches a site that is only pushed to', async () => {
    const service = await startOwnService()
    try {
      const gitdir = service.gitdir()
      let head = git(gitdir, 'rev-parse', 'main')
      for (let i = 0; i < WRITES; i++) {
        const { oid, pack } = storeCommit(gitdir, { 'pushed.css': `${i}` }, [head])
        pack.release()
        head = oid
      }
      git(gitdir, 'update-ref', MAIN, head)
      const packs = () => readdirSync(join(gitdir, 'objects', 'pack')).filter((file) => file.endsWith('.pack')).length
      await within(PATIENCE_MS, () => assert.ok(packs() <= 100, `${packs()} packs are left`))
    } finally {
      await service.stop()
    }
  })
})

describe('maintaining a repository', () => {
  it('removes packs and locks that a killed repack left more than twelve hours ago or before the boot, and nothing younger', async () => {
    await withSite({ 'index.html': 'hello' }, async (gitdir) => {
      const write = (name: string, ageSeconds: number) => {
        const path = join(gitdir, 'objects', name)
        const time = Date.now() / 1000 - ageSeconds
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, '')
        utimesSync(path, time, time)
      }
      const chainLock = 'info/commit-graphs/commit-graph-chain.lock'
      const old = ['pack/tmp_pack_aB3xYz', 'pack/tmp_idx_aB3xYz', 'pack/.tmp-4711-pack-0123.pack', chainLock]
      write('pack/tmp_pack_at_work', 0)
      assert.equal(isMaintenanceDue(gitdir), false)
      for (const name of old) write(name, 13 * 3600)
      write('pack/tmp_pack_before_boot', uptime() + 10)
      assert.equal(isMaintenanceDue(gitdir), true)
      await maintainRepository(gitdir)
      const all = [...old, 'pack/tmp_pack_before_boot', 'pack/tmp_pack_at_work']
      assert.deepEqual(
        all.filter((name) => existsSync(join(gitdir, 'objects', name))),
        ['pack/tmp_pack_at_work'],
      )
      assert.equal(isMaintenanceDue(gitdir), false)
      git(gitdir, 'commit-graph', 'write', '--reachable', '--split')
    })
  })

  it('is due if more than 500 tags are loose', () => {
    withSite({ 'index.html': 'hello' }, (gitdir, first) => {
      writeLooseTags(
        gitdir,
        Array.from({ length: 500 }, (_, i) => `of/${i}`),
        first,
      )
      assert.equal(isMaintenanceDue(gitdir), false)
      writeLooseTags(gitdir, ['last'], first)
      assert.equal(isMaintenanceDue(gitdir), true)
    })
  })

  it('packs tags without running the hook for each', async () => {
    await withSite({ 'index.html': 'hello' }, async (gitdir, first) => {
      writeLooseTags(gitdir, ['one', 'two'], first)
      const hook = join(hooksPathOf(gitdir), 'reference-transaction')
      writeFileSync(hook, `#!/bin/sh\necho "$1" >> '${gitdir}/runs'\n`)
      await maintainRepository(gitdir)
      assert.equal(git(gitdir, 'tag', '--list'), 'one\ntwo')
      assert.equal(existsSync(join(gitdir, 'refs', 'tags', 'one')), false)
      assert.equal(existsSync(join(gitdir, 'runs')), false)
    })
  })

  it('keeps the objects of a batch under way, and leaves a repository alone while git gc runs', async () => {
    await withSite({ 'index.html': 'hello' }, async (gitdir, first) => {
      const next = storeCommit(gitdir, { 'index.html': 'on its way' }, [first])
      assert.equal(await maintainRepository(gitdir), true)
      git(gitdir, 'gc', '--quiet', '--prune=now')
      git(gitdir, 'update-ref', MAIN, next.oid)
      next.pack.release()
      assert.equal(git(gitdir, 'show', 'main:index.html'), 'on its way')
      assertSound(gitdir)
      const unlock = lockGc(gitdir)
      assert.equal(await maintainRepository(gitdir), false)
      unlock?.()
    })
  })

  it('stores no delta for a file that is read by offset, but does for small ones', async () => {
    const versionOf = (bytes: number, version: number) => `${version}${'x'.repeat(bytes - 1)}`
    const filesOf = (version: number) => ({
      'large.txt': versionOf(LARGE_BYTES, version),
      'small.txt': versionOf(SMALL_BYTES, version),
    })
    await withSite(filesOf(1), async (gitdir, first) => {
      const { oid, pack } = storeCommit(gitdir, filesOf(2), [first])
      pack.release()
      git(gitdir, 'update-ref', MAIN, oid)
      await maintainRepository(gitdir)
      const stored = git(gitdir, 'cat-file', '--batch-all-objects', '--batch-check=%(objectsize) %(deltabase)')
      const deltasOf = (bytes: number) =>
        stored.split('\n').filter((line) => line.startsWith(`${bytes} `) && !/ 0+$/.test(line)).length
      assert.deepEqual([deltasOf(LARGE_BYTES), deltasOf(SMALL_BYTES)], [0, 1])
    })
  })

  const itOnLinux = process.platform === 'linux' ? it : () => undefined
  itOnLinux('holds little of large files in memory at a time', async () => {
    await withSite({ 'index.html': 'hello' }, async (gitdir) => {
      const folder = join(gitdir, 'objects', 'pack')
      for (let number = 0; number < LARGE_FILES; number++) await installStoredBlob(folder, LARGE_BYTES)
      const peak = await peakMibOfChildren(async () => assert.equal(await maintainRepository(gitdir), true))
      assert.equal(readdirSync(folder).filter((file) => file.endsWith('.pack')).length, 1)
      assert.ok(peak < MAX_GIT_MIB, `git held ${peak} MiB`)
    })
  })
})
