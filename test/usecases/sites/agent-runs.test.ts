import assert from 'node:assert/strict'
import type { RunData } from '../../../schemas/agents.js'
import { listRuns } from '../../../src/usecases/sites/agent-runs.js'
import type { Call } from '../../../src/usecases/context/call.js'
import type { Services } from '../../../src/usecases/context/services.js'
import { createPage, replacePage } from '../../../src/usecases/pages/pages.js'
import { createSite, updateSite } from '../../../src/usecases/sites/sites.js'
import { undoCommits } from '../../../src/usecases/sites/undo.js'
import { openServiceParts, refusal, type ServiceParts } from '../service-parts.js'

const CLAUDE = '0a0a0a0a-0a0a-4a0a-8a0a-0a0a0a0a0a0a'
const OLGA = '0c0c0c0c-0c0c-4c0c-8c0c-0c0c0c0c0c0c'

describe('the list of what agents did', () => {
  let parts: ServiceParts
  let shop: string
  let key: string

  before(async () => {
    parts = await openServiceParts()
    const { catalog } = parts.services
    await catalog.users.create({ id: OLGA, name: 'Olga', createdAt: '2026-11-21T10:00:00Z' })
    key = await parts.mint({ label: 'CI', scopes: ['write'] })
    shop = (await createSite(parts.call(), { slug: 'shop', name: 'The shop' })).data.id
    await createPage(byKey(), { path: '/by-ci', html: 'x' })
    parts.pass(60)
    await createPage(byClaude(), { path: '/one', html: 'x', siteId: shop })
    parts.pass(29 * 60)
    await createPage(byClaude(), { path: '/two', html: 'x', siteId: shop })
    await createPage(byOlga(), { path: '/by-hand', html: 'x', siteId: shop })
    parts.pass(31 * 60)
    const { data } = await createPage(byClaude(), { path: '/three', html: 'x', siteId: shop })
    await replacePage(byClaude(), { id: data.id, html: 'y', ifMatch: '*' })
  })
  after(() => parts.stop())

  const byKey = () => parts.call({ key })
  /** A call of the person, or of the person's agent. */
  const by = (of: Partial<Call['principal']>): Call<keyof Services> => {
    const call = parts.call()
    const person = { id: OLGA, name: 'Olga', role: 'owner' } as const
    return { ...call, principal: { ...call.principal, label: 'Olga', person, ...of } }
  }
  const byClaude = () => by({ kind: 'agent', id: CLAUDE, client: 'Claude' })
  const byOlga = () => by({ kind: 'session', id: 'a-session' })
  const told = (runs: readonly RunData[]) =>
    runs.map(({ site, maker, person, commits }) => [
      site.slug,
      maker.name,
      person?.name,
      commits.map(({ subject }) => subject),
    ])

  const ALL = [
    ['shop', 'Claude', 'Olga', ['Replace /three', 'Publish /three']],
    ['shop', 'Claude', 'Olga', ['Publish /two', 'Publish /one']],
    ['demo', 'CI', undefined, ['Publish /by-ci']],
  ]

  it('has one run for each stretch of work without a long pause, over all sites, newest first', async () => {
    const { data, nextCursor } = await listRuns(byOlga(), {})
    assert.deepEqual(told(data), ALL)
    assert.equal(nextCursor, null)
  })

  it('tells who worked, whether that one has ended, when, and how much changed', async () => {
    const { data } = await listRuns(byOlga(), {})
    const { commits, ...run } = data[1] as RunData
    assert.equal(commits.length, 2)
    assert.deepEqual(run, {
      site: { id: shop, slug: 'shop', name: 'The shop' },
      maker: { kind: 'agent', id: CLAUDE, name: 'Claude', ended: true },
      person: { id: OLGA, name: 'Olga' },
      startedAt: '2026-11-21T10:01:00Z',
      endedAt: '2026-11-21T10:30:00Z',
      commitCount: 2,
      files: { added: 2, modified: 0, removed: 0 },
    })
    const { maker, person, files } = data[2] as RunData
    assert.deepEqual([maker.kind, maker.ended, person], ['key', false, null])
    assert.deepEqual(files, { added: 1, modified: 0, removed: 0 })
    const [{ files: gone } = {}] = data
    assert.deepEqual(gone, { added: 1, modified: 1, removed: 0 })
  })

  it('comes in parts, in which each run is once and whole', async () => {
    const found: RunData[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const part = await listRuns(byOlga(), { limit: 1, ...(cursor && { cursor }) })
      assert.equal(part.data.length, 1)
      found.push(...part.data)
      cursor = part.nextCursor ?? null
    }
    assert.deepEqual(told(found), ALL)
    await assert.rejects(listRuns(byOlga(), { cursor: 'x' }), refusal('invalid_cursor'))
  })

  it('shows only the sites that the caller sees, and only that of the header', async () => {
    const limited = await parts.mint({ sites: [parts.site.id] })
    assert.deepEqual(told((await listRuns(parts.call({ key: limited }), {})).data), ALL.slice(2))
    assert.deepEqual(told((await listRuns(parts.call({ siteId: parts.site.id }), {})).data), ALL.slice(2))
  })

  it('shows the work of one agent or key alone', async () => {
    assert.deepEqual(told((await listRuns(byOlga(), { maker: CLAUDE })).data), ALL.slice(0, 2))
    assert.deepEqual(told((await listRuns(byOlga(), { maker: 'nobody' })).data), [])
  })

  it('names commits of which an undo takes a run back, and an undo by a person is no work of an agent', async () => {
    const { data } = await listRuns(byOlga(), {})
    const commits = data[1]?.commits.map(({ id }) => id) ?? []
    const undone = await undoCommits(byOlga(), { id: shop, commits })
    assert.equal(undone.data.changed, true)
    await updateSite(byOlga(), { id: shop, name: null })
    const after = (await listRuns(byOlga(), {})).data
    assert.deepEqual(told(after), ALL)
    assert.equal(after[0]?.site.name, null)
  })
})
