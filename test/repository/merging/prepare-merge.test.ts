import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hashObject } from '../../../src/git/objects/object.js'
import { DiskRepositories } from '../../../src/repository/disk/disk-repositories.js'
import type { FindFaults } from '../../../src/repository/merging/find-misfits.js'
import { refuseMerge } from '../../../src/repository/merging/merge-conflicts.js'
import { prepareMerge } from '../../../src/repository/merging/prepare-merge.js'
import { wordsOfFaults } from '../../../src/tasks/record-schemas/check-record.js'
import { git } from '../../support/git.js'
import { refusal } from '../../usecases/service-parts.js'
import { importCommits } from './import-commits.js'

const SITE = { id: '019a0000-0000-7000-8000-000000000001', slug: 'demo' }
const BOOKS = 'collections/0c000000-0000-4000-8000-000000000001'
const [RECORD, OTHER] = [1, 2].map((at) => `${BOOKS}/0d000000-0000-4000-8000-00000000000${at}.json`) as [string, string]
const books = (schema: object) => JSON.stringify({ id: BOOKS.slice(12), name: 'books', schema })
const SUMS = { type: 'object', properties: { sum: { type: 'integer' } }, not: { required: ['from', 'to'] } }

type Texts = Readonly<Record<string, string>>

describe('preparing a merge of two branches', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-merge-'))
  const repositories = new DiskRepositories(dataDir)
  const gitdir = repositories.gitdir(SITE)

  before(() => git(dataDir, 'init', '--quiet', '--bare', '--initial-branch=main', gitdir))
  after(() => rmSync(dataDir, { recursive: true, force: true }))

  async function merge(base: Texts, ours: Texts, theirs: Texts, withheld: readonly string[] = []) {
    const versions = [base, ours, theirs].map(
      (files) => new Map(Object.entries(files).map(([path, text]) => [path, ['100644', text] as const])),
    )
    const [from = '', to = '', other = ''] = importCommits(gitdir, versions)
    const repository = repositories.open(SITE)
    try {
      const aim = { base: from, ours: to, theirs: other, withheld }
      const findFaults: FindFaults = async (record) => await Promise.resolve(wordsOfFaults(record))
      return await prepareMerge({ gitdir, objects: repository.objects }, aim, findFaults)
    } finally {
      repository.close()
    }
  }

  it('returns the edits of what the other side changed, with merged texts, and the files on which they depend', async () => {
    const lines = 'a\nb\nc\nd\ne\n'
    const base = { text: lines, taken: 'old', gone: 'old', 'page.html': '<p>a</p><p>b</p>', mine: 'old' }
    const ours = { ...base, text: lines.replace('a', 'ours'), 'page.html': '<p>ours</p><p>b</p>', mine: 'ours' }
    const { gone: _gone, ...kept } = base
    const theirs = {
      ...kept,
      text: lines.replace('e', 'theirs'),
      'page.html': '<p>a</p><p>theirs</p>',
      taken: 'new',
      more: 'new',
    }
    const { edits, judged, conflicts } = await merge(base, ours, theirs)
    assert.deepEqual(conflicts, [])
    const shown = edits.map(({ path, after, content }) => [
      path,
      content?.toString() ?? (after && git(gitdir, 'cat-file', '-p', after.oid)),
    ])
    assert.deepEqual(Object.fromEntries(shown), {
      text: lines.replace('a', 'ours').replace('e', 'theirs'),
      'page.html': '<p>ours</p><p>theirs</p>',
      taken: 'new',
      gone: null,
      more: 'new',
    })
    const before = Object.fromEntries(judged.map(({ path, before: file }) => [path, file?.oid]))
    assert.deepEqual(before, {
      text: oidOf(ours.text),
      'page.html': oidOf(ours['page.html']),
      taken: oidOf('old'),
      gone: oidOf('old'),
      more: undefined,
    })
  })

  it('returns conflicts as data, with the three versions, and no edits', async () => {
    const base = { both: 'a\n', gone: 'a\n', fine: 'a\n' }
    const merged = await merge(
      base,
      { both: 'ours\n', fine: 'a\n', new: 'ours\n' },
      { both: 'theirs\n', gone: 'theirs\n', fine: 'b\n', new: 'theirs\n' },
    )
    const [b, o, t] = [oidOf('a\n'), oidOf('ours\n'), oidOf('theirs\n')]
    const marks = '<<<<<<< ours\nours\n=======\ntheirs\n>>>>>>> theirs\n'
    assert.deepEqual(merged, {
      edits: [],
      judged: [],
      conflicts: [
        { path: 'both', reason: 'changed', hunks: marks, base: b, ours: o, theirs: t },
        { path: 'gone', reason: 'missing', hunks: 'It was removed since.', base: b, theirs: t },
        { path: 'new', reason: 'in_the_way', hunks: 'Something else was put there since.', ours: o, theirs: t },
      ],
    })
    assert.throws(() => refuseMerge(merged.conflicts), refusal('merge_conflict'))
    refuseMerge([])
  })

  it('merges what both sides did alike, and removals on both sides', async () => {
    const merged = await merge({ a: 'a', b: 'b' }, { b: 'new' }, { b: 'new', c: 'c' })
    assert.deepEqual(
      merged.edits.map(({ path }) => path),
      ['c'],
    )
  })

  it('merges records by field, and finds those that break the schema of their collection', async () => {
    const base = { [`${BOOKS}.json`]: books(SUMS), [RECORD]: '{"sum":1}' }
    const ours = { ...base, [RECORD]: '{"from":1,"sum":1}' }
    const { edits } = await merge(base, ours, { ...base, [RECORD]: '{"sum":2}' })
    assert.deepEqual(
      edits.map(({ path, content }) => [path, content?.toString()]),
      [[RECORD, '{"from":1,"sum":2}\n']],
    )
    const { conflicts } = await merge(base, ours, { ...base, [RECORD]: '{"sum":1,"to":2}' })
    assert.deepEqual(
      conflicts.map(({ path, reason }) => [path, reason]),
      [[RECORD, 'invalid']],
    )
    assert.match(conflicts[0]?.hunks ?? '', /does not fit its collection's schema: it must NOT be valid/)
  })

  it('checks whole records too where the schema has changed since', async () => {
    const base = { [`${BOOKS}.json`]: books({}), [RECORD]: '{"sum":1}' }
    const theirs = { ...base, [OTHER]: '{"sum":"much"}' }
    const kept = await merge(base, { ...base, [RECORD]: '{}' }, theirs)
    assert.deepEqual([kept.edits.length, kept.conflicts], [1, []])
    assert.ok(
      kept.judged.some(({ path }) => path === `${BOOKS}.json`),
      'the record depends on its collection',
    )
    const { conflicts } = await merge(base, { ...base, [`${BOOKS}.json`]: books(SUMS) }, theirs)
    assert.deepEqual(
      conflicts.map(({ path, reason }) => [path, reason]),
      [[OTHER, 'invalid']],
    )
    const wrong = { ...base, [`${BOOKS}.json`]: books({ $schema: 'urn:unknown' }) }
    const { conflicts: unusable } = await merge(base, wrong, theirs)
    assert.match(unusable[0]?.hunks ?? '', /the schema/)
  })

  it('never takes a record from its collection, or the site from its id', async () => {
    const base = { [`${BOOKS}.json`]: books({}), [RECORD]: '{}', 'a.txt': 'a' }
    const lost = await merge(base, { ...base, [OTHER]: '{}' }, { 'a.txt': 'a' })
    assert.deepEqual(
      lost.conflicts.map(({ path, reason }) => [path, reason]),
      [[OTHER, 'in_the_way']],
    )
    const other = await merge(
      { ...base, '.site.json': '{}' },
      { ...base, '.site.json': '{}' },
      { ...base, '.site.json': '{"id":1}' },
    )
    assert.deepEqual(
      other.conflicts.map(({ path }) => path),
      ['.site.json'],
    )
  })

  it('publishes no withheld bytes, and merges no more than 500 texts', async () => {
    await assert.rejects(merge({ a: 'a' }, { a: 'a' }, { a: 'secret' }, [oidOf('secret')]), refusal('conflict'))
    const many = (first: string, last: string) =>
      Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`${at}.css`, `${first}\n\n\n${last}\n`]))
    await assert.rejects(merge(many('a', 'a'), many('b', 'a'), many('a', 'b')), refusal('too_costly'))
  })
})

function oidOf(text: string): string {
  return hashObject('blob', Buffer.from(text))
}
