import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ServiceError } from '../../../src/model/errors.js'
import { Admission } from '../../../src/admission/admission.js'
import { DEFAULT_SIZES } from '../../../src/admission/row.js'
import { parsePagePath } from '../../../src/model/paths/page-path.js'
import type { Operation, SiteRef } from '../../../src/repository/protocol/write.js'
import { Store } from '../../../src/repository/store.js'
import { assertSound, git } from '../../support/git.js'

const TIME = 1_790_000_000
const MEBIBYTE = 1024 * 1024

describe('sites of one writer thread', () => {
  let dataDir: string
  let store: Store
  let mine: SiteRef
  let second: SiteRef
  let theirs: SiteRef

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-fairness-'))
    store = new Store({
      dataDir,
      limits: { writerThreads: 1, diskReserveBytes: 0 },
      // 4 MiB for the contents of waiting writes.
      admission: new Admission({ ...DEFAULT_SIZES, memoryBytes: (64 / 3) * MEBIBYTE }),
    })
    ;[mine, second, theirs] = ['mine', 'second', 'theirs'].map((slug) => ({
      id: randomUUID(),
      slug,
      workspaceId: slug === 'theirs' ? 'them' : 'me',
    })) as [SiteRef, SiteRef, SiteRef]
    for (const site of [mine, second, theirs]) await store.writers.createRepository(site, TIME)
  })
  afterEach(async () => {
    await store.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const publishOf = (path: string, html: string | Buffer) =>
    ({
      kind: 'publish-page',
      newId: randomUUID(),
      path: parsePagePath(path),
      html: Buffer.from(html),
      title: undefined,
      templateId: null,
      replace: true,
    }) as const
  const write = (site: SiteRef, operation: Operation) =>
    store.write(site, { operation, author: 'Ada', time: TIME, trailers: [] })
  const has = (code: string) => (error: unknown) => error instanceof ServiceError && error.code === code

  it('have room for the writes of each workspace, even if many bytes of another one wait', async () => {
    const large = () => publishOf('/large', Buffer.alloc(MEBIBYTE, 'x'))
    const waiting = [write(mine, large())]
    for (const site of [mine, second, mine, second]) waiting.push(write(site, large()))
    const refused = waiting.slice(1).map((one) => assert.rejects(one, has('queue_full')))
    assert.ok((await write(theirs, large())).created, 'the other workspace has its share')
    await Promise.all(refused)
    assert.ok((await waiting[0])?.created)
    assert.ok((await write(second, large())).created, 'what was written gives its bytes back')
  })

  it('refuse a write that would make other sites wait for ten thousand folders, and change nothing', async () => {
    const changes = Array.from({ length: 40 }, (_, i) => publishOf(`/${i}${'/a'.repeat(300)}`, `${i}`))
    await assert.rejects(write(mine, { kind: 'change-set', changes }), has('payload_too_large'))
    const head = git(store.repositories.gitdir(mine), 'rev-list', '--count', 'main')
    assert.equal(head, '1')
    assert.equal((await write(mine, { kind: 'change-set', changes: changes.slice(0, 30) })).items?.length, 30)
    assertSound(store.repositories.gitdir(mine))
  })

  it('do not wait for a lock that git left on another site, which itself waits for it', async () => {
    await write(mine, publishOf('/a', 'a'))
    // The writer thread tidies up after its answer, and before its next write.
    await write(theirs, publishOf('/a', 'a'))
    const gitdir = store.repositories.gitdir(mine)
    const lock = join(gitdir, 'refs', 'heads', 'main.lock')
    const folders = [join(gitdir, 'objects', 'pack'), join(gitdir, 'palimpsest')]
    const made = () => folders.map((path) => statSync(path).mtimeMs)
    // Times that no write leaves. The mark of this process was made by its first write.
    for (const path of folders) utimesSync(path, 1, 1)
    const before = made()
    writeFileSync(lock, '', { flag: 'wx' })
    const held = write(mine, publishOf('/b', 'b'))
    for (let i = 0; i < 20; i++) await write(theirs, publishOf(`/${i}`, `${i}`))
    assert.deepEqual(made(), before)
    rmSync(lock)
    assert.ok((await held).created)
    assertSound(gitdir)
  })

  it('serve dry runs while their writes wait for a lock', async () => {
    await write(mine, publishOf('/a', 'a'))
    const lock = join(store.repositories.gitdir(mine), 'refs', 'heads', 'main.lock')
    writeFileSync(lock, '', { flag: 'wx' })
    const held = write(mine, publishOf('/b', 'b'))
    const operation = publishOf('/c', 'c')
    const { written } = await store.draft(mine, { operation, author: 'Ada', time: TIME, trailers: [] })
    assert.ok(written.created)
    rmSync(lock)
    assert.ok((await held).created)
  })

  it('count the unnamed versions that a rollback undoes', async () => {
    const first = await write(mine, publishOf('/a', '0'))
    const undone = { newest: Array.from({ length: 100 }, () => first.commit), count: 8000 }
    await write(mine, publishOf('/a', '1'))
    const { commit } = await write(mine, {
      kind: 'rollback-page',
      page: {
        id: first.id,
        path: parsePagePath('/a'),
        lastChange: first.commit,
        asOf: first.commit,
        titleIsSet: false,
      },
      version: first.commit,
      blob: git(store.repositories.gitdir(mine), 'rev-parse', `${first.commit}:a.html`),
      undone,
    })
    const message = git(store.repositories.gitdir(mine), 'log', '-1', '--format=%B', commit)
    assert.equal(message.match(/^This reverts commit /gm)?.length, 100)
    assert.match(message, /^And 7900 earlier commits\.$/m)
    assert.ok(message.length < 8000)
  })
})
