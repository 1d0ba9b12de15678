// Change requests on several nodes: what one node writes to a branch, each other one has.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Site } from '../../../../src/catalog/site.js'
import { parsePagePath } from '../../../../src/model/paths/page-path.js'
import { toSeconds } from '../../../../src/model/clock.js'
import { findPageAt } from '../../../../src/usecases/pages/find-page.js'
import { publishPage } from '../../../repository/disk/publish-page.js'
import { assertSound, git } from '../../../support/git.js'
import { until } from '../../../support/within.js'
import { NodeServices } from '../node-services.js'

describe('a change request on several nodes', function () {
  this.timeout(120_000)
  let nodes: NodeServices

  before(async () => (nodes = await NodeServices.start()))
  after(() => nodes?.stop())

  const servicesOf = (node: number) => nodes.at(node).service.services
  /** Waits as each call of a client does before it reads. On a busy machine the node may refuse the site for a while. */
  const current = async (node: number, site?: Site) => {
    const { replica, store } = servicesOf(node)
    const isRefused = () => site !== undefined && store.reader.refused.isBehind(site)
    do await replica.untilCurrent()
    while (isRefused())
    return servicesOf(node)
  }
  const demo = (node: number): Site => servicesOf(node).catalog.sites.findBySlug('demo') ?? assert.fail('no site')

  const begin = async (node: number, site = demo(node)): Promise<Site> => {
    const { indexFollower, store, clock } = await current(node, site)
    const request = { ...site, request: randomUUID() }
    await store.writers.beginRequest(request, await indexFollower.fork(request), toSeconds(clock()))
    return request
  }
  const put = async (node: number, site: Site, path: string, html: string, merged?: string): Promise<string> => {
    const { store } = await current(node, site)
    return await publishPage(store, site, path, html, merged === undefined ? {} : { merged })
  }
  const head = async (node: number, site: Site) => (await current(node, site)).store.reader.head(site)
  const at = async (node: number, site: Site, path: string) =>
    (await findPageAt({ ...(await current(node, site)), site }, parsePagePath(path)))?.row
  const drafts = (node: number, slug = 'demo') => join(nodes.nodes[node]?.dataDir ?? '', 'drafts', `${slug}.git`)
  const rowsOf = (node: number, { id, request = '' }: Site) =>
    join(nodes.nodes[node]?.dataDir ?? '', 'index', id.slice(0, 2), `${id}.${request}.db`)

  it('is on each node, with its pages, in the first read after the answer', async () => {
    await put(0, demo(0), '/about', 'live')
    const request = await begin(0)
    assert.equal(await head(1, request), await head(0, demo(0)))
    for (let i = 0; i < 6; i++) {
      const [writer, reader] = i % 2 === 0 ? [0, 1] : [1, 0]
      const commit = await put(writer, request, `/draft-${i}`, `draft ${i}`)
      assert.equal(await head(reader, request), commit)
      assert.equal((await at(reader, request, `/draft-${i}`))?.version.number, 1)
      assert.equal(await at(reader, demo(reader), `/draft-${i}`), undefined)
    }
    assert.equal((await at(1, request, '/about'))?.version.number, 1)
    for (const node of [0, 1]) assertSound(drafts(node))
  })

  it('takes the writes of both nodes at once, none of them lost', async () => {
    const request = await begin(1)
    const made = await Promise.all(
      [0, 1].flatMap((node) => [0, 1, 2, 3].map((i) => put(node, request, `/both-${node}-${i}`, `${i}`))),
    )
    for (const node of [0, 1]) {
      await current(node, request)
      const history = new Set(git(drafts(node), 'rev-list', request.request ?? '').split('\n'))
      assert.deepEqual(
        made.filter((commit) => !history.has(commit)),
        [],
      )
    }
  })

  it('is whole on the other node as soon as it has taken in a new main', async () => {
    const request = await begin(0)
    for (let i = 0; i < 5; i++) {
      const [writer, reader] = i % 2 === 0 ? [0, 1] : [1, 0]
      const live = await put(writer, demo(writer), `/live-${i}`, `live ${i}`)
      const merge = await put(writer, request, `/merge-${i}`, `merge ${i}`, live)
      assert.equal(await head(reader, request), merge)
      assert.equal(git(drafts(reader), 'rev-parse', `${merge}^2`).trim(), live)
      assertSound(drafts(reader))
    }
  })

  it('has rows on a node that has not read it, from those of its site', async () => {
    const request = await begin(0)
    await current(1)
    await until(
      async () => existsSync(rowsOf(1, request)),
      (isThere) => isThere,
    )
    assert.equal((await at(1, request, '/about'))?.version.number, 1)
  })

  it('has its own pages on a node that first reads it after main moved on', async () => {
    const request = await begin(0)
    await put(0, request, '/early', 'early')
    await put(1, demo(1), '/later', 'later')
    assert.equal((await at(1, demo(1), '/later'))?.version.number, 1)
    assert.equal((await at(1, request, '/early'))?.version.number, 1)
    assert.equal(await at(1, request, '/later'), undefined)
    assert.equal(git(drafts(1), 'for-each-ref', 'refs/palimpsest'), '')
  })

  it('ends on each node, with its branch and its rows', async () => {
    const [request, other] = [await begin(0), await begin(0)]
    await put(0, request, '/given-up', 'given up')
    const kept = await put(1, other, '/kept', 'kept')
    await at(1, request, '/given-up')
    assert.ok(existsSync(rowsOf(1, request)))
    await (await current(0)).store.endRequest(request)
    await current(1, request)
    assert.throws(() => servicesOf(1).store.reader.head(request), { code: 'site_unreadable' })
    for (const node of [0, 1]) assert.equal(git(drafts(node), 'for-each-ref', `refs/heads/${request.request}`), '')
    await until(
      async () => existsSync(rowsOf(1, request)),
      (isThere) => !isThere,
    )
    await assert.rejects(put(1, request, '/late', 'late'))
    for (const node of [0, 1]) assert.equal(await head(node, other), kept)
  })

  it('is on a node that joins, also once that has lost its repositories', async () => {
    const [request, ended] = [await begin(0), await begin(0)]
    const commit = await put(0, request, '/joined', 'joined')
    await (await current(0)).store.endRequest(ended)
    let dataDir: string | undefined
    for (let starts = 1; starts <= 2; starts++) {
      const joined = await nodes.add(dataDir === undefined ? {} : { DATA_DIR: dataDir })
      dataDir = joined.dataDir
      await until(
        async () => joined.logged.some(({ msg }) => msg.startsWith('joined')),
        (hasJoined) => hasJoined,
      )
      const node = nodes.nodes.indexOf(joined)
      assert.equal(await head(node, request), commit)
      assert.equal((await at(node, request, '/joined'))?.version.number, 1)
      assertSound(drafts(node))
      assert.equal(git(drafts(node), 'for-each-ref', `refs/heads/${ended.request}`), '')
      await joined.server.stop()
      nodes.nodes.splice(node, 1)
      for (const name of ['demo.git', 'drafts']) rmSync(join(dataDir, name), { recursive: true })
    }
    rmSync(dataDir ?? '', { recursive: true, force: true })
  })

  it('ends with its site', async () => {
    const made = await nodes.ask(0, 'POST', '/sites', { slug: 'gone' })
    const { catalog } = await current(0)
    const site = catalog.sites.findBySlug('gone') ?? assert.fail('no site')
    const request = await begin(0, site)
    await put(1, request, '/x', 'x')
    assert.equal((await nodes.ask(1, 'DELETE', `/sites/${made.body.data.id}`)).status, 200)
    await current(0, request)
    for (const node of [0, 1]) assert.equal(existsSync(drafts(node, 'gone')), false)
    const left = "select 1 from log.sites where head is not null and coalesce(request_of, site) = '" + site.id + "'"
    assert.deepEqual(await nodes.database.query(left, nodes.url), [])
  })
})
