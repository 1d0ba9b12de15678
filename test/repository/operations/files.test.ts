import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ServiceError } from '../../../src/model/errors.js'
import { parsePagePath } from '../../../src/model/paths/page-path.js'
import { writeBlobPack } from '../../../src/git/streams/pack-stream.js'
import { Store } from '../../../src/repository/store.js'
import type { FileOperation, Operation, PackToInstall } from '../../../src/repository/protocol/write.js'
import { assertSound, git } from '../../support/git.js'

const LIMITS = { writerThreads: 1, diskReserveBytes: 0 }

describe('files that are no pages', () => {
  let dataDir: string
  let store: Store
  const site = { id: randomUUID(), slug: 'demo' }

  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-files-'))
    store = new Store({ dataDir, limits: LIMITS })
    await store.writers.createRepository(site, 1_790_000_000)
  })
  after(async () => {
    await store.close()
    assertSound(store.repositories.gitdir(site))
    rmSync(dataDir, { recursive: true, force: true })
  })

  const write = (operation: Operation, packs: PackToInstall[] = []) =>
    store.write(site, { operation, author: 'Ada', time: 1_790_000_000, trailers: [], packs })
  const put = (path: string, text: string, more: Partial<Extract<FileOperation, { kind: 'put-file' }>> = {}) =>
    write({ kind: 'put-file', path, blob: { content: Buffer.from(text) }, ifAbsent: false, ...more })
  const publish = (path: string) =>
    write({
      kind: 'publish-page',
      newId: randomUUID(),
      path: parsePagePath(path),
      html: Buffer.from('<h1>x</h1>'),
      title: undefined,
      templateId: null,
      replace: true,
    })
  const main = (...args: string[]) => git(store.repositories.gitdir(site), ...args)
  const code = (expected: string) => (error: unknown) => error instanceof ServiceError && error.code === expected

  it('are added, replaced and deleted, each in one commit', async () => {
    const added = await put('img/a.txt', 'one')
    assert.deepEqual([added.created, added.changed, added.id], [true, true, '/img/a.txt'])
    assert.equal(main('show', 'main:img/a.txt'), 'one')
    assert.equal((await put('img/a.txt', 'one')).changed, false)
    assert.equal((await put('img/a.txt', 'two')).created, false)
    await write({ kind: 'delete-file', path: 'img/a.txt' })
    assert.equal(main('ls-tree', '-r', '--name-only', 'main', 'img'), '')
    assert.equal(
      main('log', '--format=%s', '-3', 'main'),
      'Delete file /img/a.txt\nReplace file /img/a.txt\nAdd file /img/a.txt',
    )
  })

  it('have the oid of their blob as entity tag', async () => {
    await put('tag.txt', 'one')
    const oid = main('rev-parse', 'main:tag.txt')
    await assert.rejects(put('tag.txt', 'two', { ifMatch: ['0'.repeat(40)] }), (error) => {
      assert.ok(error instanceof ServiceError && error.code === 'precondition_failed')
      assert.deepEqual(error.details, { etag: `"${oid}"` })
      return true
    })
    await assert.rejects(put('tag.txt', 'two', { ifAbsent: true }), code('precondition_failed'))
    await assert.rejects(put('none.txt', 'two', { ifMatch: '*' }), code('precondition_failed'))
    await put('tag.txt', 'two', { ifMatch: [oid] })
    await assert.rejects(write({ kind: 'delete-file', path: 'tag.txt', ifMatch: [oid] }), code('precondition_failed'))
    await assert.rejects(write({ kind: 'delete-file', path: 'gone.txt' }), code('file_not_found'))
  })

  it('are refused if a page answers or a folder stands at the path, or a name differs only by case', async () => {
    await publish('/about')
    await put('css/site.css', 'x')
    for (const path of ['about', 'css', 'css/site.css/x', 'CSS/other.css', 'css/Site.css', 'about.html/x'])
      await assert.rejects(put(path, 'x'), code('path_conflict'), path)
  })

  it('move, also to a name that differs by case, and to one below their own', async () => {
    await put('move/Logo.svg', 'logo')
    await write({ kind: 'move-file', from: 'move/Logo.svg', to: 'move/logo.svg' })
    await write({ kind: 'move-file', from: 'move/logo.svg', to: 'move/logo.svg/x' })
    await write({ kind: 'move-file', from: 'move/logo.svg/x', to: 'move/logo.svg' })
    assert.equal(main('ls-tree', '-r', '--name-only', 'main', 'move'), 'move/logo.svg')
    await put('move/b.svg', 'b')
    await assert.rejects(write({ kind: 'move-file', from: 'move/b.svg', to: 'move/logo.svg' }), code('path_conflict'))
  })

  it('can be rolled back to the bytes of a version, also after their deletion', async () => {
    const first = await put('back.txt', 'one')
    const blob = main('rev-parse', 'main:back.txt')
    const second = await write({ kind: 'delete-file', path: 'back.txt' })
    const undone = { newest: [second.commit], count: 1 }
    await write({ kind: 'rollback-file', path: 'back.txt', version: first.commit, blob, undone })
    assert.equal(main('show', 'main:back.txt'), 'one')
    assert.match(main('log', '-1', '--format=%B', 'main'), new RegExp(`This reverts commit ${second.commit}`))
  })

  it('are published from a pack outside of the repository, without passing through the writer', async () => {
    const bytes = Buffer.alloc(2_500_000, 'large')
    async function* chunks() {
      for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
    }
    const { oid, pack } = await writeBlobPack(dataDir, 'upload', chunks(), bytes.length)
    await write({ kind: 'put-file', path: 'large.bin', blob: { oid }, ifAbsent: true }, [pack])
    assert.equal(main('cat-file', '-s', 'main:large.bin'), String(bytes.length))
    assertSound(store.repositories.gitdir(site))
    assert.equal(store.reader.snapshot(site).size(oid), bytes.length)
  })

  it('leave no pack behind if their write is refused', async () => {
    const { oid, pack } = await writeBlobPack(
      dataDir,
      'refused',
      (async function* () {
        yield Buffer.from('x')
      })(),
      1,
    )
    const before = main('count-objects', '-v')
    await assert.rejects(
      write({ kind: 'put-file', path: 'css', blob: { oid }, ifAbsent: true }, [pack]),
      code('path_conflict'),
    )
    assert.equal(main('count-objects', '-v'), before)
  })
})
