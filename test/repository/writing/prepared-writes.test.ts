import assert from 'node:assert/strict'
import { parseMetadataPath } from '../../../src/repository/format/site-format.js'
import type { KnownPage, Operation, Write } from '../../../src/repository/protocol/write.js'
import { assertSound } from '../../support/git.js'
import { BatchSite, toWrite } from './batch-site.js'

/** A prepared write, and its results for the writes after it. */
interface Prepared {
  writes: (Operation | Write)[]
  /** A page with its bytes, and a file. */
  page: { path: string; html: string; id?: string | undefined }
  file: string
}

const OLD = { page: { path: '/old', html: 'the second text' }, file: 'docs/a.txt' }

/** Writes that come to the writer with more than a request's own bytes, and similar ones. */
const PREPARED: Record<string, (site: BatchSite) => Promise<Prepared>> = {
  'a deploy of a new page': async (site) => {
    const deploy = await site.deploy({ 'in/new.html': 'new', 'in/new.css': 'p {}', 'docs/b.txt': 'b' })
    return { writes: [deploy], page: { path: '/in/new', html: 'new', id: newPageOf(deploy) }, file: 'in/new.css' }
  },
  'a deploy that changes a page': async (site) => {
    const deploy = await site.deploy({ 'old.html': 'of the deploy', 'docs/a.txt': 'of the deploy' })
    return { ...OLD, writes: [deploy], page: { path: '/old', html: 'of the deploy' } }
  },
  'a deploy of large files': async (site) => {
    const html = 'long '.repeat(300_000)
    const deploy = await site.deploy({ 'large.html': html, 'large.bin': Buffer.alloc(2_000_000, 1) })
    return { writes: [deploy], page: { path: '/large', html, id: newPageOf(deploy) }, file: 'large.bin' }
  },
  'two deploys, one behind the other': async (site) => {
    const deploys = [
      await site.deploy({ 'in/new.html': 'new', 'in/a.css': 'a' }),
      await site.deploy({ 'on/b.html': 'b' }),
    ]
    const [first] = deploys
    return { writes: deploys, page: { path: '/in/new', html: 'new', id: first && newPageOf(first) }, file: 'in/a.css' }
  },
  'a large file': async (site) => ({ ...OLD, writes: [await site.largeFile('large.bin')], file: 'large.bin' }),
  'a batch with a large file': async (site) => {
    const { operation, packs } = await site.largeFile('large.bin')
    if (operation.kind !== 'put-file') throw new Error('it puts no file')
    const page = site.putPage('/in-batch', 'in a batch')
    const changes = [page, operation]
    const write = { ...toWrite({ kind: 'change-set', changes }), ...(packs && { packs }) }
    return { writes: [write], page: { path: '/in-batch', html: 'in a batch', id: page.newId }, file: 'large.bin' }
  },
  'edits of many pages': async (site) => {
    const changes = ['/old', '/lines'].map((path) => {
      return { kind: 'replace-page', page: site.known(path), html: Buffer.from('edited') } as const
    })
    return { ...OLD, writes: [{ kind: 'change-set', changes }], page: { path: '/old', html: 'edited' } }
  },
  'the revert of a deploy': async (site) => ({ ...OLD, writes: [await site.revert(site.commits.deployed)] }),
  'a revert that merges lines': async (site) => ({ ...OLD, writes: [await site.revert(site.commits.changedLine)] }),
  'a deploy and the revert of an earlier one': async (site) => {
    const deploy = await site.deploy({ 'in/new.html': 'new' })
    return { ...OLD, writes: [deploy, await site.revert(site.commits.deployed)] }
  },
}

/** Each kind of write that reads, built on the head as it is before the batch. */
const BEHIND: Record<string, (site: BatchSite, brought: Prepared) => Operation | Write | Promise<Operation | Write>> = {
  'a new page': (site) => site.putPage('/fresh', 'fresh'),
  'a new page beside it': (site) => site.putPage('/in/fresh', 'fresh', { sidecar: { id: undefined, asOf: site.head } }),
  'a new page of a key that is limited to its path': (site) => ({
    ...toWrite(site.putPage('/fresh', 'fresh')),
    paths: ['/fresh'],
  }),
  'the same bytes for its page': (site, { page }) => site.putPage(page.path, page.html),
  'other bytes for its page': (site, { page }) => site.putPage(page.path, 'other'),
  'an edit of its page': (site, { page }) => ({
    kind: 'replace-page',
    page: knownOf(site, page),
    html: Buffer.from('other'),
  }),
  'a title for its page': (site, { page }) => ({ kind: 'retitle-page', page: knownOf(site, page), title: 'A title' }),
  'the end of its page': (site, { page }) => ({ kind: 'unpublish-page', page: knownOf(site, page) }),
  'the rollback of a page': (site) =>
    site.rollBack('/old', site.commits.firstOld, site.oidAt('old.html', site.commits.firstOld)),
  'a batch with new pages': (site) => {
    const changes = [site.putPage('/in/a', 'a'), site.putPage('/b', 'b'), site.putFile('in/c.txt', 'c')]
    return { kind: 'change-set', changes }
  },
  'a revert': (site) => site.revert(site.commits.retold),
  'a deploy': (site) => site.deploy({ 'in/behind.html': 'behind', 'in/behind.css': 'b {}' }),
  'a large file': (site) => site.largeFile('in/another.bin'),
  'a move of its file': (_, { file }) => ({ kind: 'move-file', from: file, to: 'moved/away' }),
  'the removal of its file': (_, { file }) => ({ kind: 'delete-file', path: file }),
  'a record': (site) => site.putRecord('second', true),
  'the same record': (site) => site.putRecord('first', false),
  'the end of a collection': (site) => site.deleteCollection(),
}
const UNCHANGED = new Set(['the same bytes for its page', 'the same record'])

describe('a batch of writes', () => {
  let begun: BatchSite
  before(async () => {
    begun = await BatchSite.begin()
  })
  after(() => begun.close())

  for (const [name, prepare] of Object.entries(PREPARED)) {
    describe(`with ${name}`, () => {
      let prepared: Prepared
      const behind = new Map<string, Operation | Write>()
      before(async () => {
        prepared = await prepare(begun)
        for (const [reader, make] of Object.entries(BEHIND)) behind.set(reader, await make(begun, prepared))
      })

      for (const reader of Object.keys(BEHIND)) {
        it(`makes ${reader} after it`, () => {
          const outcomes = begun.build(...prepared.writes, behind.get(reader)!)
          assert.deepEqual(outcomes, [
            ...prepared.writes.map(() => 'changed'),
            UNCHANGED.has(reader) ? 'unchanged' : 'changed',
          ])
        })
      }

      it('leaves a sound repository with all of them after it', async () => {
        const site = new BatchSite(begun)
        const outcomes = await site.write(...prepared.writes, ...behind.values())
        assert.ok(!outcomes.includes('site_unreadable'), outcomes.join(', '))
        assertSound(site.gitdir)
        site.close()
      })
    })
  }
})

function newPageOf({ operation }: Write): string | undefined {
  if (operation.kind !== 'deploy') return undefined
  const [id] = operation.prepared.touched.flatMap((path) => {
    const metadata = parseMetadataPath(path)
    return metadata?.kind === 'sidecar' ? [metadata.pageId] : []
  })
  return id
}

function knownOf(site: BatchSite, { path, id }: Prepared['page']): KnownPage {
  return site.known(path, id)
}
