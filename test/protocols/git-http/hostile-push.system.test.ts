// Hostile pushes: those that git's own clients would not send, and those that they send of hostile trees.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once, setMaxListeners } from 'node:events'
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashObject } from '../../../src/git/objects/object.js'
import { assertSound, git } from '../../support/git.js'
import { quarantinesIn, untilNoQuarantine } from './quarantines.js'
import { commandLines, deltaEntry, packEntry, packOf, sendPush } from '../../support/raw-push.js'
import { RemoteGit } from '../../support/remote-git.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { runHere } from '../../programs/shell.js'
import { until } from '../../support/within.js'

const MAIN = 'refs/heads/main'
/** Pushes of one workspace. */
const AT_ONCE = 8
const WHO = 'M <m@example.org> 1790000000 +0000'

describe('a hostile push over HTTP', () => {
  let service: TestService
  let head: string
  const client = new RemoteGit()

  before(async () => {
    service = await startOwnService({ env: { MAX_PUSH_BYTES: '2000000' } })
    head = git(service.gitdir(), 'rev-parse', 'main')
    const url = `http://git:${service.key}@127.0.0.1:${service.server.port}/git/demo.git`
    await client.run('clone', '--quiet', '--bare', url, 'clone')
  })
  after(async () => {
    await service.stop()
    client.remove()
  })
  afterEach(async () => {
    await untilNoQuarantine(service.gitdir())
    assert.equal(git(service.gitdir(), 'rev-parse', 'main'), head)
    assertSound(service.gitdir())
    assert.equal((await service.visit('/')).status, 200)
  })

  const commitOf = (tree: string) =>
    Buffer.from(`tree ${tree}\nparent ${head}\nauthor ${WHO}\ncommitter ${WHO}\n\nHostile\n`)
  const toMain = (after: string) => commandLines([{ ref: MAIN, before: head, after }])

  /** A push of one file more, whose blob is an entry of the pack. */
  function pushOfBlob(oid: string, entry: Buffer, name = 'bomb.bin'): Buffer {
    const root = runHere({ command: ['git', '-C', service.gitdir(), 'cat-file', 'tree', `${head}^{tree}`] })
    const added = Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(oid, 'hex')])
    const names = git(service.gitdir(), 'ls-tree', '--name-only', head).split('\n')
    const at = names.findIndex((other) => Buffer.compare(Buffer.from(other), Buffer.from(name)) > 0)
    const tree = insertEntry(root, at < 0 ? names.length : at, added)
    const commit = commitOf(hashObject('tree', tree))
    const pack = packOf([entry, packEntry('tree', tree), packEntry('commit', commit)])
    return Buffer.concat([toMain(hashObject('commit', commit)), pack])
  }

  it('is refused while it is read if it has more than 100 refs, 100,000 refs, or an endless pack to another branch', async () => {
    for (const count of [101, 100_000]) {
      const commands = Array.from({ length: count }, (_, n) => ({ ref: `refs/tags/t${n}`, after: head }))
      const { status, text } = await sendPush(service, Buffer.concat([commandLines(commands), packOf([])]))
      assert.equal(status, 200)
      assert.match(text, /a push may change at most 100 refs\. Push them a part at a time/)
    }
    async function* endless() {
      yield commandLines([{ ref: 'refs/heads/topic', after: head }])
      for (let sent = 0; sent < 5_000_000; sent += 50_000) yield Buffer.alloc(50_000)
    }
    const status = await sendPush(service, endless()).then(
      (answer) => answer.status,
      () => 413,
    )
    assert.equal(status, 413)
    assert.equal(git(service.gitdir(), 'tag', '--list'), '')
  })

  it('is refused with advice past the limit of bytes, and read to its end', async () => {
    async function* endless() {
      yield toMain('1'.repeat(40))
      yield Buffer.from('PACK\0\0\0\x02\0\x0f\0\0', 'latin1')
      for (let sent = 0; sent < 3_000_000; sent += 50_000) yield Buffer.alloc(50_000, sent)
    }
    const { text } = await sendPush(service, endless())
    assert.match(text, /the push is larger than 2000000 bytes\. Push fewer commits at a time/)
  })

  it('is refused by its size if it has a decompression bomb, deflated or a delta', async () => {
    const zeros = Buffer.alloc(70 * 1024 * 1024)
    const deflated = pushOfBlob(hashObject('blob', zeros), packEntry('blob', zeros))
    assert.match(
      (await sendPush(service, deflated)).text,
      /bomb\.bin has 73400320 bytes: at most 67108864 are accepted/,
    )
    const base = Buffer.alloc(65_536)
    // The delta claims 4 GiB (gitformat-pack, "Deltified representation").
    const delta = Buffer.concat([varint(base.length), varint(2 ** 32), Buffer.from([0x80 | 0x30, 0xff, 0xff])])
    const entries = [packEntry('blob', base), deltaEntry(hashObject('blob', base), delta)]
    const { text } = await sendPush(service, Buffer.concat([toMain('1'.repeat(40)), packOf(entries)]))
    assert.match(text, /an object of the push needs too much memory/)
  })

  it('gets an answer and not an internal error if its bytes are no pack or no push', async () => {
    for (const bytes of [Buffer.from('PACK'), Buffer.from('<html>'), packOf([Buffer.from('x')]), Buffer.alloc(0)]) {
      const { status, text } = await sendPush(service, Buffer.concat([toMain('1'.repeat(40)), bytes]))
      assert.equal(status, 200)
      assert.match(text, /ng refs\/heads\/main/)
      assert.ok(!text.includes(service.dataDir), text)
    }
    for (const bytes of ['zzzz', '0009hello0000', 'ffff']) {
      assert.equal((await sendPush(service, Buffer.from(bytes))).status, 400)
    }
  })

  it('is refused if it lacks objects that its commits name', async () => {
    const commit = commitOf('ab'.repeat(20))
    const bytes = Buffer.concat([toMain(hashObject('commit', commit)), packOf([packEntry('commit', commit)])])
    assert.match((await sendPush(service, bytes)).text, /ng refs\/heads\/main/)
  })

  it('leaves nothing behind if its client stops in the middle', async () => {
    const stop = new AbortController()
    async function* half() {
      yield toMain('1'.repeat(40))
      yield Buffer.from('PACK\0\0\0\x02\0\0\0\x09', 'latin1')
      await until(
        () => quarantinesIn(service.gitdir()).length,
        (count) => count > 0,
      )
      stop.abort()
      yield Buffer.alloc(10)
    }
    await assert.rejects(sendPush(service, half(), stop.signal))
  })

  it('is not read before its turn if its workspace already has the most pushes at once', async () => {
    const stop = new AbortController()
    setMaxListeners(2 * AT_ONCE, stop.signal)
    async function* held() {
      yield toMain('1'.repeat(40))
      await once(stop.signal, 'abort')
    }
    const pushes = Array.from({ length: AT_ONCE }, () => sendPush(service, held(), stop.signal))
    const ended = Promise.allSettled(pushes)
    await until(
      () => quarantinesIn(service.gitdir()).length,
      (count) => count === AT_ONCE,
    )
    const next = sendPush(service, Buffer.from('zzzz'))
    // It waits while other requests are answered.
    let isAnswered = false
    const answered = next.finally(() => (isAnswered = true))
    for (let n = 0; n < 20; n++) await service.api().get('/me').expect(200)
    assert.equal(isAnswered, false)
    stop.abort()
    await answered
    assert.equal((await next).status, 400)
    await ended
  })

  it('is told if its site is deleted meanwhile', async () => {
    const { key: admin } = await service.mint({ scopes: ['admin'] })
    const { body } = await service.api(admin).post('/sites').send({ slug: 'gone' }).expect(201)
    const { id } = (body as { data: { id: string } }).data
    const before = git(service.gitdir('gone'), 'rev-parse', 'main')
    async function* whileDeleting() {
      yield commandLines([{ ref: MAIN, before, after: '1'.repeat(40) }])
      yield packOf([]).subarray(0, 12)
      await service.api(admin).delete(`/sites/${id}`).expect(200)
      yield packOf([]).subarray(12)
    }
    const { status, text } = await sendPush({ ...service, slug: 'gone' }, whileDeleting())
    assert.equal(status, 200)
    assert.match(text, /refused: this site was deleted/i)
    assert.deepEqual(
      existsSync(service.gitdir('gone')) ? readdirSync(service.gitdir('gone'), { recursive: true }) : [],
      [],
    )
    const retired = join(service.dataDir, '.retired', `gone-${id}.git`, 'palimpsest')
    assert.deepEqual(
      readdirSync(retired).filter((name) => name.startsWith('push-')),
      [],
    )
  })

  it('is refused if the disk is nearly full, and loses nothing', async () => {
    const seeded = await startOwnService({ keep: true })
    await seeded.stop()
    const full = await startOwnService({ dataDir: seeded.dataDir, env: { DISK_RESERVE_BYTES: String(2 ** 50) } })
    const before = git(full.gitdir(), 'rev-parse', 'main')
    const bytes = Buffer.concat([commandLines([{ ref: MAIN, before, after: '1'.repeat(40) }]), packOf([])])
    const { status, text } = await sendPush(full, bytes)
    assert.deepEqual([status, git(full.gitdir(), 'rev-parse', 'main')], [200, before])
    assert.match(text, /The disk is nearly full: nothing is written until space is freed/)
    await full.stop()
  })

  it('is told if the disk refuses its quarantine, once it has sent everything', async () => {
    const folder = join(service.gitdir(), 'palimpsest')
    renameSync(folder, `${folder}-aside`)
    writeFileSync(folder, 'no folder')
    let isSent = false
    async function* slowly() {
      yield toMain('1'.repeat(40))
      yield packOf([]).subarray(0, 12)
      await service.api().get('/me').expect(200)
      isSent = true
      yield packOf([]).subarray(12)
    }
    const { status, text } = await sendPush(service, slowly())
    assert.ok(isSent)
    rmSync(folder)
    renameSync(`${folder}-aside`, folder)
    assert.equal(status, 200, text)
    assert.match(text, /palimpsest: refused: This site's repository cannot be read/)
  })

  it('is refused for hostile trees as by path, with the same sentences', async () => {
    const trees: [string, string | Buffer][] = [
      ['100644', '.git'],
      ['100644', 'a\\b.html'],
      ['100644', 'line\nfeed.html'],
      ['100644', Buffer.from([0x61, 0xff, 0x2e, 0x68])],
      ['100644', `${'x'.repeat(300)}.html`],
      ['100644', `${'y/'.repeat(2)}z`],
    ]
    const clone = client.path('clone')
    const blob = git(clone, 'rev-parse', 'main:index.html')
    for (const [mode, name] of trees) {
      const entry = Buffer.concat([
        Buffer.from(`${mode} `),
        Buffer.from(name as string),
        Buffer.from([0]),
        Buffer.from(blob, 'hex'),
      ])
      const tree = execFileSync('git', ['-C', clone, 'hash-object', '-w', '--literally', '-t', 'tree', '--stdin'], {
        input: entry,
      })
      const commit = git(clone, 'commit-tree', '-p', 'main', '-m', 'Hostile', tree.toString().trim())
      const [overHttp, byPath] = [
        await client.attempt('-C', clone, 'push', 'origin', `${commit}:${MAIN}`),
        await client.attempt('-C', clone, 'push', service.gitdir(), `${commit}:${MAIN}`),
      ]
      assert.deepEqual([overHttp.ok, byPath.ok], [false, false], name.toString())
      assert.notDeepEqual(sentences(byPath.stderr), [])
      assert.deepEqual(sentences(overHttp.stderr), sentences(byPath.stderr))
    }
  })
})

/** Returns our hook's sentences, and git's words about objects without the text before them. */
function sentences(stderr: string): string[] {
  return Array.from(stderr.matchAll(/palimpsest: refused: (?!git does)[^\n]*|object [0-9a-f]{40}: \w+/g), ([line]) =>
    line.trim(),
  )
}

function insertEntry(tree: Buffer, index: number, entry: Buffer): Buffer {
  let at = 0
  for (let n = 0; n < index; n++) at = tree.indexOf(0, at) + 21
  return Buffer.concat([tree.subarray(0, at), entry, tree.subarray(at)])
}

/** Seven bits a byte, the lowest first. */
function varint(value: number): Buffer {
  const bytes: number[] = []
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 0x80)
  return Buffer.from([...bytes, value])
}
