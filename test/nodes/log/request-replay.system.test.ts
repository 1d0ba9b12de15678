import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { encodeCommit } from '../../../src/git/objects/commit.js'
import { RefLocked } from '../../../src/git/objects/errors.js'
import { newObject } from '../../../src/git/objects/object.js'
import { encodePack } from '../../../src/git/storage/pack-writer.js'
import { loggedPack } from '../../../src/nodes/log/pieces.js'
import type { NextCommit, WritableRepository } from '../../../src/repository/protocol/repository.js'
import type { SiteRef } from '../../../src/repository/protocol/write.js'
import { IDENTITY, LOG } from '../../git/scratch-repository.js'
import { nextCommit } from '../../repository/protocol/repository-contract.js'
import { PostgresServer } from '../../servers/postgres-server.js'
import { git } from '../../support/git.js'
import { type LogNode, startLogNode } from './log-node.js'

const TIME = 1_790_000_000

describe('a change request on two nodes with one database', () => {
  let server: PostgresServer
  let url: string
  let here: LogNode
  let there: LogNode
  let main: WritableRepository
  let branch: WritableRepository
  let site: SiteRef
  let request: SiteRef & { request: string }
  let fork: string

  before(async () => {
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
    request = { ...site, request: randomUUID() }
    await here.repositories.create(site, TIME)
    main = here.repositories.openForWriting(site)
    fork = await commit(main, 'fork')
    await here.repositories.beginRequest(request, fork, TIME)
    branch = here.repositories.openForWriting(request)
  })
  afterEach(() => {
    main.close()
    branch.close()
  })

  const drafts = (node: LogNode) => join(node.dataDir, 'drafts', `${site.slug}.git`)
  const headAt = (node: LogNode, of: SiteRef = request) => {
    const reader = node.repositories.open(of)
    try {
      return reader.head()
    } finally {
      reader.close()
    }
  }
  const followAll = async (node: LogNode) => {
    await node.repositories.follow(site)
    await node.repositories.follow(request)
  }
  const commit = async (to: WritableRepository, text: string) => {
    await to.untilHeadIsDurable()
    const next = nextCommit(to.headToBuildOn(), text)
    assert.equal(await to.commit(next), 'done')
    return next.next
  }
  /** The commit that brings the request up to date with main. */
  const merge = async (merged: string) => {
    const expected = branch.headToBuildOn()
    const { tree } = branch.objects.readCommit(merged)
    const parents = [expected, merged]
    const made = newObject(
      'commit',
      encodeCommit({ tree, parents, author: IDENTITY, committer: IDENTITY, message: 'up to date' }),
    )
    const next: NextCommit = { expected, next: made.oid, objects: [made], packs: [], log: LOG }
    assert.equal(await branch.commit(next), 'done')
    return made.oid
  }
  const entriesOf = async (id: string) => (await here.log.entriesAfter(id, 0, 100)).length

  it('is on the other one once that follows main and then the request', async () => {
    for (let i = 0; i < 3; i++) await commit(branch, `draft ${i}`)
    await there.repositories.follow(request)
    assert.equal(headAt(there), undefined)
    await followAll(there)
    assert.equal(headAt(there), headAt(here))
    assert.equal(git(drafts(there), 'fsck', '--strict', '--full', '--no-dangling'), '')
    const last = await commit(branch, 'more')
    await there.repositories.follow(request)
    assert.equal(headAt(there), last)
  })

  it('stops before a commit that merges a main which is not there yet, and takes no write until it is', async () => {
    await followAll(there)
    const before = await commit(branch, 'before')
    const late = await commit(main, 'late')
    const merged = await merge(late)
    const after = await commit(branch, 'after')
    await there.repositories.follow(request)
    assert.equal(headAt(there), before)
    const other = there.repositories.openForWriting(request)
    await assert.rejects(async () => await other.commit(nextCommit(other.headToBuildOn(), 'stale')), RefLocked)
    await followAll(there)
    assert.equal(headAt(there), after)
    assert.deepEqual(other.objects.readCommit(merged).parents, [before, late])
    assert.equal(git(drafts(there), 'fsck', '--strict', '--full', '--no-dangling'), '')
    await commit(other, 'goes on')
    other.close()
  })

  it('has what the log accepted from a node that then stopped', async () => {
    const second = { ...site, request: randomUUID() }
    const first = { requestOf: site.id, batch: randomUUID(), head: fork, packs: [], piece: undefined, log: LOG }
    assert.equal(await here.log.create(second.request, first), true)
    assert.equal(await here.log.create(second.request, { ...first, batch: randomUUID() }), false)
    const { expected, next, objects } = nextCommit(fork, 'accepted')
    const pack = encodePack(objects)
    const entry = { batch: randomUUID(), expected, next, log: LOG, holder: undefined, keys: [], publishes: [] }
    const packs = { packs: [loggedPack(pack)], piece: Buffer.concat([pack.pack, pack.index]) }
    assert.equal(await here.log.append(second.request, { ...entry, ...packs }), true)
    for (const node of [here, there]) {
      await node.repositories.follow(site)
      await node.repositories.follow(second)
      assert.equal(headAt(node, second), next)
    }
  })

  it('forks from no commit that somebody set here by path', async () => {
    const gitdir = join(here.dataDir, `${site.slug}.git`)
    const by = ['-c', 'user.name=O', '-c', 'user.email=o@example.org']
    const foreign = git(gitdir, ...by, 'commit-tree', '-p', fork, '-m', 'by path', 'main^{tree}').trim()
    git(gitdir, 'update-ref', 'refs/heads/main', foreign)
    const second = { ...site, request: randomUUID() }
    await assert.rejects(here.repositories.beginRequest(second, foreign, TIME), RefLocked)
    await here.repositories.follow(site)
    await assert.rejects(here.repositories.beginRequest(second, foreign, TIME), RefLocked)
    assert.equal(await here.log.head(second.request), undefined)
    await here.repositories.beginRequest(second, fork, TIME)
    assert.equal(headAt(here, second), fork)
  })

  it('is restored if its branch was moved by path, and the foreign commit is kept', async () => {
    const head = await commit(branch, 'draft')
    await followAll(there)
    const by = ['-c', 'user.name=O', '-c', 'user.email=o@example.org']
    const foreign = git(drafts(there), ...by, 'commit-tree', '-p', head, '-m', 'by path', `${head}^{tree}`).trim()
    git(drafts(there), 'update-ref', `refs/heads/${request.request}`, foreign)
    await there.repositories.follow(request)
    assert.equal(headAt(there), head)
    assert.equal(git(drafts(there), 'rev-parse', `refs/palimpsest/lost/${foreign}`).trim(), foreign)
  })

  it('ends on both, and leaves the database a day later', async () => {
    await commit(branch, 'draft')
    await followAll(there)
    await here.repositories.endRequest(request)
    await here.repositories.endRequest(request)
    await here.log.removeAbandoned()
    assert.equal(await entriesOf(request.request), 3)
    await server.query(`update log.entries set time = time - 90000 where site = '${request.request}'`, url)
    await server.query("update log.entries set time = extract(epoch from now()) - 90000 where message = 'deleted'", url)
    await here.log.removeAbandoned()
    assert.equal(await entriesOf(request.request), 0)
    assert.equal(await entriesOf(site.id), 2)
    const orphans = 'select 1 from log.pieces where batch not in (select batch from log.entries)'
    assert.deepEqual(await server.query(orphans, url), [])
    await there.repositories.follow(request)
    for (const node of [here, there]) assert.deepEqual([headAt(node), headAt(node, site)], [undefined, fork])
  })

  it('ends with its site on both, and its content goes with that of the site', async () => {
    await commit(branch, 'draft')
    await followAll(there)
    await here.repositories.retire(site)
    await followAll(there)
    for (const node of [here, there]) assert.equal(existsSync(drafts(node)), false)
    await here.log.forget(site.id)
    assert.deepEqual([await entriesOf(request.request), await entriesOf(site.id)], [0, 0])
    const second = { ...site, request: randomUUID() }
    await assert.rejects(here.repositories.beginRequest(second, fork, TIME))
    assert.equal(await here.log.head(second.request), undefined)
  })

  it('does no harm if a node of an earlier version ended the log of its site alone', async () => {
    await commit(branch, 'draft')
    await followAll(there)
    await server.query(`update log.sites set head = null, entries = entries + 1 where site = '${site.id}'`, url)
    for (const node of [here, there]) {
      await followAll(node)
      assert.equal(headAt(node), undefined)
    }
    await here.log.forget(site.id)
    assert.equal(await entriesOf(request.request), 0)
  })
})
