import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { parsePagePath } from '../../../src/model/paths/page-path.js'
import type { SiteRef } from '../../../src/repository/protocol/write.js'
import type { WriterProtocol, WriterRequest } from '../../../src/repository/protocol/writer-messages.js'
import { SiteIndexes } from '../../../src/index/site-index.js'
import { SiteWriters } from '../../../src/repository/writing/site-writers.js'
import type { Reply } from '../../../src/threads/messages.js'
import { MemoryRepositories } from '../protocol/memory-repositories.js'

const TIME = 1_790_000_000
/** More than a thread keeps open while they are idle. */
const SITES = 270

describe('sites of one writer thread whose repositories are behind a network', () => {
  let repositories: MemoryRepositories
  let writers: SiteWriters
  /** Each commit waits for it. */
  let network: (site: SiteRef) => Promise<void>
  let tickets = 0
  const asked = new Map<number, (reply: Reply<WriterProtocol>) => void>()

  beforeEach(() => {
    network = () => Promise.resolve()
    repositories = new MemoryRepositories((site) => network(site))
    writers = new SiteWriters({
      repositories,
      indexes: new SiteIndexes('no folder'),
      sign: (commit) => commit,
      diskReserveBytes: 0,
      say({ replies = [] }) {
        for (const reply of replies) {
          asked.get(reply.ticket)?.(reply)
          asked.delete(reply.ticket)
        }
      },
    })
  })

  const makeSite = (slug: string): SiteRef => {
    const site = { id: randomUUID(), slug }
    repositories.create(site, TIME)
    return site
  }
  const ask = (request: WriterRequest) =>
    new Promise<Reply<WriterProtocol>>((resolve) => {
      asked.set(++tickets, resolve)
      writers.take(request, tickets)
    })
  const publish = async (site: SiteRef, path: string) => {
    const operation = {
      kind: 'publish-page',
      newId: randomUUID(),
      path: parsePagePath(path),
      html: Buffer.from(path),
      title: undefined,
      templateId: null,
      replace: true,
    } as const
    const reply = await ask({ type: 'write', site, write: { operation, author: 'Ada', time: TIME, trailers: [] } })
    return 'failure' in reply ? reply.failure.code : 'done'
  }
  const countCommits = (site: SiteRef) => {
    const repository = repositories.open(site)
    let count = 0
    for (let at = repository.head(); at !== undefined; count++) [at] = repository.objects.readCommit(at).parents
    return count
  }

  it('wait for the network side by side, each with one batch under way', async () => {
    const sites = Array.from({ length: SITES }, (_, i) => makeSite(`site-${i}`))
    const underWay = new Set<string>()
    let letThrough = () => {}
    const gate = new Promise<void>((resolve) => (letThrough = resolve))
    const allUnderWay = new Promise<void>((resolve) => {
      network = async ({ slug }) => {
        assert.ok(!underWay.has(slug), 'a second batch of a site')
        if (underWay.add(slug).size === SITES) resolve()
        await gate
        underWay.delete(slug)
      }
    })
    const first = sites.map((site) => publish(site, '/first'))
    await allUnderWay
    const second = sites.flatMap((site) => [publish(site, '/second'), publish(site, '/third')])
    letThrough()
    assert.deepEqual(new Set(await Promise.all([...first, ...second])), new Set(['done']))
    for (const site of sites) assert.equal(countCommits(site), 4)
  })

  it('refuse writes behind one whose outcome is unknown until it is settled, while others go on', async () => {
    const [lost, other] = [makeSite('lost'), makeSite('other')]
    network = async ({ slug }) => {
      if (slug === 'lost') throw Object.assign(new Error('the answer is lost'), { syscall: 'read' })
    }
    assert.equal(await publish(lost, '/a'), 'outcome_unknown')
    assert.equal(await publish(lost, '/b'), 'storage_failed')
    assert.equal(await publish(other, '/a'), 'done')
    assert.equal('failure' in (await ask({ type: 'settle', site: lost })), true)
    network = () => Promise.resolve()
    assert.equal('failure' in (await ask({ type: 'settle', site: lost })), false)
    assert.equal(await publish(lost, '/c'), 'done')
    assert.equal(countCommits(lost), 3)
  })

  it('answer the waiting writes of a deleted site at once, and the batch under way with its result', async () => {
    const site = makeSite('gone')
    let letThrough = () => {}
    const isUnderWay = new Promise<void>((resolve) => {
      network = () => {
        resolve()
        return new Promise((through) => (letThrough = through))
      }
    })
    const underWay = publish(site, '/a')
    await isUnderWay
    const waiting = publish(site, '/b')
    const retired = ask({ type: 'retire', site })
    assert.equal(await waiting, 'site_not_found')
    assert.equal(repositories.exists(site), true)
    letThrough()
    assert.equal(await underWay, 'done')
    assert.ok('answer' in (await retired))
    assert.equal(repositories.exists(site), false)
  })
})
