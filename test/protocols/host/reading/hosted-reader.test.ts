import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { renameSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { join } from 'node:path'
import { after, before, describe, it } from 'mocha'
import { newObject } from '../../../../src/git/objects/object.js'
import { HostedReader } from '../../../../src/protocols/host/reading/hosted-reader.js'
import type { ViewToRead } from '../../../../src/protocols/host/reading/view-to-read.js'
import type { Trouble } from '../../../../src/repository/protocol/trouble.js'
import { openShared, shareObjects } from '../../../../src/repository/reading/shared-objects.js'
import { flipByteOf } from '../../../support/damage.js'
import { type Content, Hosting } from '../hosting.js'

/** More than the first reader reads for one request. */
const LONG_BYTES = 9 * 1024 * 1024

describe('the readers for visitors', () => {
  const hosting = new Hosting()
  const troubles: Trouble[] = []
  const live = new Map<string, { id: string; slug: string }>()
  let reader: HostedReader

  before(() => {
    reader = new HostedReader({
      dataDir: hosting.dataDir,
      hasIndex: false,
      sites: { findBySlug: (slug) => live.get(slug) },
      troubles: { report: (_site, trouble) => void troubles.push(trouble) },
      onBehind: () => undefined,
    })
  })
  after(async () => {
    await reader.close()
    await hosting.stop()
  })

  /** A view of a new site at its head. */
  async function viewOf(slug: string, files: Record<string, Content>): Promise<ViewToRead> {
    const { id } = await hosting.createSite(slug, files)
    const site = { id, slug }
    live.set(slug, site)
    return { site, origin: `https://${slug}.example.org`, head: headOf(slug) }
  }

  const headOf = (slug: string) => hosting.git(slug, ['rev-parse', 'main'])

  async function show(view: ViewToRead, target: string): Promise<string> {
    const { resolution, body } = await reader.resolve(view, target, true)
    return body === undefined ? resolution.kind : Buffer.from(body).toString()
  }

  it('answer for the head of the view, also once the site has moved on', async () => {
    const view = await viewOf('moving', { 'a.html': 'old', _redirects: '/b /a' })
    assert.deepEqual([await show(view, '/a'), await show(view, '/b')], ['old', 'redirect'])
    hosting.commit('moving', { 'a.html': 'new', _redirects: '/c /a' })
    assert.deepEqual([await show(view, '/a'), await show(view, '/b')], ['old', 'redirect'])
    const next = { ...view, head: headOf('moving') }
    assert.deepEqual(
      [await show(next, '/a'), await show(next, '/b'), await show(next, '/c')],
      ['new', 'missing', 'redirect'],
    )
  })

  it('read files of any length, whole and in pieces', async () => {
    const files = {
      'short.bin': randomBytes(100),
      'long.bin': randomBytes(LONG_BYTES),
      'text.txt': 'x'.repeat(LONG_BYTES),
    }
    const view = await viewOf('lengths', files)
    for (const [name, content] of Object.entries(files)) {
      const bytes = Buffer.from(content)
      const { resolution, size } = await reader.resolve(view, `/${name}`, false)
      assert.ok(resolution.kind === 'file' && size === bytes.length, name)
      const { oid } = resolution.file
      assert.ok((await reader.blob(view, oid)).equals(bytes), name)
      assert.ok((await buffer(reader.pieces(view, { oid, size }))).equals(bytes), name)
      const span = { start: 7, end: size - 7 }
      assert.ok((await buffer(reader.pieces(view, { oid, size }, span))).equals(bytes.subarray(7, -7)), name)
    }
  })

  it('report a damaged file, and go on with the others', async () => {
    const long = randomBytes(LONG_BYTES)
    const view = await viewOf('sick', { 'a.html': 'page a', 'b.html': 'page b', 'long.bin': long })
    const oidOf = (path: string) => hosting.git('sick', ['rev-parse', `main:${path}`])
    for (const path of ['a.html', 'long.bin']) flipByteOf(join(hosting.dataDir, 'sick.git'), oidOf(path))
    await assert.rejects(show(view, '/a'), { code: 'site_unreadable' })
    await assert.rejects(reader.blob(view, oidOf('long.bin')), { code: 'site_unreadable' })
    await assert.rejects(buffer(reader.pieces(view, { oid: oidOf('long.bin'), size: LONG_BYTES })), {
      code: 'site_unreadable',
    })
    assert.deepEqual(
      new Set(troubles.splice(0).map(({ kind, subject }) => `${kind} ${subject}`)),
      new Set([`object ${oidOf('a.html')}`, `object ${oidOf('long.bin')}`]),
    )
    assert.equal(await show(view, '/b'), 'page b')
  })

  it('do not take the repository of a deleted site for a damaged one', async () => {
    const view = await viewOf('deleted', { 'a.html': 'page a' })
    live.delete('deleted')
    const gitdir = join(hosting.dataDir, 'deleted.git')
    renameSync(gitdir, `${gitdir}.aside`)
    await assert.rejects(show(view, '/a'), { code: 'site_not_found' })
    assert.deepEqual(troubles, [])
    renameSync(`${gitdir}.aside`, gitdir)
  })

  it("refuse a repository that is another site's", async () => {
    const view = await viewOf('own', { 'a.html': 'page a' })
    const other = { ...view, site: { id: randomUUID(), slug: 'own' } }
    live.set('own', other.site)
    await assert.rejects(show(other, '/a'), { code: 'site_unreadable' })
    assert.deepEqual(
      troubles.splice(0).map(({ kind, subject }) => [kind, subject]),
      [['repository', 'site']],
    )
  })
})

describe('the objects of a draft in shared memory', () => {
  it('are the same when another thread opens them', () => {
    const contents = ['', 'a page', 'x'.repeat(100_000)]
    const objects = [
      ...contents.map((content) => newObject('blob', Buffer.from(content))),
      newObject('tree', Buffer.alloc(0)),
      newObject('commit', Buffer.from('tree')),
    ]
    assert.deepEqual(openShared(shareObjects(objects)), objects)
    assert.deepEqual(openShared(shareObjects([])), [])
  })
})
