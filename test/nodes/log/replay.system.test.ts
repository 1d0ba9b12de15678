import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodePack } from '../../../src/git/storage/pack-writer.js'
import type { WritableRepository } from '../../../src/repository/protocol/repository.js'
import { LOG } from '../../git/scratch-repository.js'
import { PostgresServer } from '../../servers/postgres-server.js'
import { git } from '../../support/git.js'
import { nextCommit } from '../../repository/protocol/repository-contract.js'
import { type LogNode, startLogNode } from './log-node.js'

const TIME = 1_790_000_000

describe('two nodes on one database', () => {
  let server: PostgresServer
  let url: string
  let here: LogNode
  let there: LogNode
  let writer: WritableRepository
  let site: { id: string; slug: string }

  before(async function () {
    server = await PostgresServer.start()
    url = await server.createDatabase()
    ;[here, there] = [await startLogNode(url), await startLogNode(url)]
  })
  after(async () => {
    await here?.stop()
    await there?.stop()
    await server?.remove()
  })
  beforeEach(async () => {
    const id = randomUUID()
    site = { id, slug: `site-${id.slice(0, 8)}` }
    await here.repositories.create(site, TIME)
    writer = here.repositories.openForWriting(site)
  })
  afterEach(() => writer.close())

  const gitdir = (node: LogNode) => join(node.dataDir, `${site.slug}.git`)
  const commit = async (text: string, to = writer) => {
    await to.untilHeadIsDurable()
    const next = nextCommit(to.headToBuildOn(), text)
    assert.equal(await to.commit(next), 'done')
    return next.next
  }

  it('have the same commits once the other follows, and git finds nothing wrong with them', async () => {
    await commit('one')
    await there.repositories.follow(site)
    for (let i = 0; i < 3; i++) await commit(`more ${i}`)
    const large = await commit(randomBytes(800_000).toString('hex'))
    await there.repositories.follow(site)
    assert.equal(git(gitdir(there), 'log', '--format=%H'), git(gitdir(here), 'log', '--format=%H'))
    assert.equal(git(gitdir(there), 'rev-parse', 'main').trim(), large)
    assert.equal(git(gitdir(there), 'fsck', '--strict', '--full', '--no-dangling'), '')
  })

  it('end a deleted site also after its log was removed, and no other log is', async () => {
    const head = await commit('one')
    await there.repositories.follow(site)
    await here.log.forget(site.id)
    assert.equal((await here.log.entriesAfter(site.id, 0, 10)).length, 2)
    await here.repositories.retire(site)
    await here.log.forget(site.id)
    assert.deepEqual(await here.log.entriesAfter(site.id, 0, 10), [])
    assert.equal(git(gitdir(there), 'rev-parse', 'main').trim(), head)
    await there.repositories.follow(site)
    assert.equal(there.repositories.exists(site), false)
  })

  it('write few packs for many small commits that arrive at once, also if these share files', async () => {
    for (let i = 0; i < 40; i++) await commit(`page ${i % 15}`)
    await there.repositories.follow(site)
    assert.equal(git(gitdir(there), 'log', '--format=%H'), git(gitdir(here), 'log', '--format=%H'))
    assert.equal(git(gitdir(there), 'fsck', '--strict', '--full', '--no-dangling'), '')
    const packs = readdirSync(join(gitdir(there), 'objects', 'pack')).filter((name) => name.endsWith('.pack'))
    assert.ok(packs.length < 10, `${packs.length} packs`)
  })

  it('both have a small commit whose pack came as a file, like that of a push', async () => {
    await commit('before')
    await writer.untilHeadIsDurable()
    const { objects, ...next } = nextCommit(writer.headToBuildOn(), 'pushed')
    const { id, pack, index } = encodePack(objects)
    const path = join(here.dataDir, id)
    writeFileSync(`${path}.pack`, pack)
    writeFileSync(`${path}.idx`, index)
    assert.equal(await writer.commit({ ...next, objects: [], packs: [{ id, path, bytes: pack.length }] }), 'done')
    await commit('after')
    await there.repositories.follow(site)
    assert.equal(git(gitdir(there), 'log', '--format=%H'), git(gitdir(here), 'log', '--format=%H'))
    assert.equal(git(gitdir(there), 'fsck', '--strict', '--full', '--no-dangling'), '')
  })

  it("build on each other's commits, once told that main has moved", async () => {
    await there.repositories.follow(site)
    const other = there.repositories.openForWriting(site)
    const stale = nextCommit(other.headToBuildOn(), 'stale')
    const first = await commit('first')
    assert.equal(await other.commit(stale), 'moved')
    assert.equal(other.headToBuildOn(), first)
    const second = await commit('second', other)
    assert.equal(await writer.commit(nextCommit(first, 'late')), 'moved')
    assert.equal(writer.headToBuildOn(), second)
    other.close()
  })

  it('restore a main that was moved by path, and keep the foreign commit', async () => {
    const head = await commit('published')
    await there.repositories.follow(site)
    const tree = git(gitdir(there), 'rev-parse', 'main^{tree}').trim()
    const foreign = git(
      gitdir(there),
      '-c',
      'user.name=O',
      '-c',
      'user.email=o@example.org',
      'commit-tree',
      '-p',
      head,
      '-m',
      'by path',
      tree,
    ).trim()
    git(gitdir(there), 'update-ref', 'refs/heads/main', foreign)
    await there.repositories.follow(site)
    assert.equal(git(gitdir(there), 'rev-parse', 'main').trim(), head)
    assert.equal(git(gitdir(there), 'rev-parse', `refs/palimpsest/lost/${foreign}`).trim(), foreign)

    git(gitdir(there), 'update-ref', 'refs/heads/main', foreign)
    const next = await commit('goes on')
    await there.repositories.follow(site)
    assert.equal(git(gitdir(there), 'rev-parse', 'main').trim(), next)
  })

  it('both have a tag that the log accepted from a node that then stopped, also after following again', async () => {
    const head = writer.headToBuildOn()
    const after = new Map([['refs/tags/v1', head]])
    const changes = [{ ref: 'refs/tags/v1', before: null, after: head }]
    const next = { batch: randomUUID(), before: new Map(), after, changes, packs: [], log: LOG }
    assert.equal(await here.log.tags.append(site.id, next), true)
    assert.equal(await here.log.tags.append(site.id, { ...next, batch: randomUUID() }), false)
    for (const node of [here, there, here, there]) {
      await node.repositories.follow(site)
      assert.equal(git(gitdir(node), 'rev-parse', 'v1').trim(), head)
    }
    const move = { changes, packs: [], time: TIME, by: 'Ada' }
    assert.equal(await writer.moveTags?.(move), 'moved')
    await commit('goes on')
    await there.repositories.follow(site)
    assert.equal(
      await writer.moveTags?.({ ...move, changes: [{ ref: 'refs/tags/v1', before: head, after: null }] }),
      'done',
    )
    await there.repositories.follow(site)
    assert.equal(git(gitdir(there), 'tag', '--list').trim(), '')
  })

  it('both retire a site that one of them retires', async () => {
    await there.repositories.follow(site)
    await here.repositories.retire(site)
    assert.equal(here.repositories.exists(site), false)
    await there.repositories.follow(site)
    assert.equal(there.repositories.exists(site), false)
    await here.repositories.retire(site)
  })

  it('refuse a late batch that was found missing in the log', async () => {
    const head = writer.headToBuildOn()
    const { next } = nextCommit(head, 'lost on its way')
    const batch = randomUUID()
    assert.equal(await here.log.settle(site.id, batch), false)
    assert.equal(await here.log.settle(site.id, batch), false)
    const late = {
      batch,
      expected: head,
      next,
      packs: [],
      piece: Buffer.alloc(0),
      log: LOG,
      holder: undefined,
      keys: [],
      publishes: [],
    }
    assert.equal(await here.log.append(site.id, late), false)
    await commit('another')
  })

  it('remove all data of a refused large commit from the database after a day', async () => {
    const stale = nextCommit(writer.headToBuildOn(), randomBytes(300_000).toString('hex'))
    await commit('first')
    assert.equal(await writer.commit(stale), 'moved')
    const staged = () => server.query('select number from log.staged join log.pieces using (batch)', url)
    await here.log.removeAbandoned()
    assert.ok((await staged()).length > 1)
    await server.query("update log.staged set since = now() - interval '25 hours'", url)
    await here.log.removeAbandoned()
    assert.deepEqual(
      await server.query('select 1 from log.pieces where batch not in (select batch from log.entries)', url),
      [],
    )
  })
})
