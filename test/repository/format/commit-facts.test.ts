import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { hashObject } from '../../../src/git/objects/object.js'
import { ObjectDatabase } from '../../../src/git/storage/object-database.js'
import { parsePagePath, treePathOf } from '../../../src/model/paths/page-path.js'
import { readCommitFacts } from '../../../src/repository/format/commit-facts.js'
import {
  collectionPathOf,
  encodeCollection,
  encodeSidecar,
  recordPathOf,
  sidecarPathOf,
} from '../../../src/repository/format/site-format.js'
import { git } from '../../support/git.js'

const PAGE = '0a000000-0000-4000-8000-000000000001'
const NEWS = '0c000000-0000-4000-8000-000000000001'
const RECORD = '0d000000-0000-4000-8000-000000000001'

describe('the facts of a commit', () => {
  let folder: string
  let odb: ObjectDatabase

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-facts-'))
    git(folder, 'init', '--quiet', '--initial-branch=main')
    odb = new ObjectDatabase(join(folder, '.git'))
  })

  afterEach(() => {
    odb.close()
    rmSync(folder, { recursive: true, force: true })
  })

  function write(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }

  function commit(...paragraphs: string[]): string {
    git(folder, 'add', '--all')
    const message = paragraphs.length === 0 ? ['A change'] : paragraphs
    git(folder, 'commit', '--quiet', '--allow-empty', ...message.flatMap((paragraph) => ['-m', paragraph]))
    return git(folder, 'rev-parse', 'HEAD')
  }

  it('name author, time, message and trailers', () => {
    const first = commit()
    const second = commit('Publish /about', 'Because\nof this.', 'Page-Id: x\nRequest-Id: y z')
    assert.equal(readCommitFacts(odb, first).parent, null)
    const facts = readCommitFacts(odb, second)
    assert.deepEqual(
      [facts.oid, facts.parent, facts.author, facts.subject, facts.message],
      [second, first, 'Olga Operator', 'Publish /about', 'Publish /about\n\nBecause\nof this.'],
    )
    assert.deepEqual({ ...facts.trailers }, { 'Page-Id': 'x', 'Request-Id': 'y z' })
    assert.equal(facts.time, Number(git(folder, 'log', '-1', '--format=%ct')))
  })

  it('have a valid time, even if the commit claims another', () => {
    const tree = git(folder, 'write-tree')
    const claim = (time: string) => {
      write('claim', `tree ${tree}\nauthor A <a@b> ${time} +0000\ncommitter A <a@b> ${time} +0000\n\nx\n`)
      return git(folder, 'hash-object', '-t', 'commit', '-w', '--literally', join(folder, 'claim'))
    }
    assert.equal(readCommitFacts(odb, claim('99999999999999999')).time, 253_402_300_799)
    assert.equal(readCommitFacts(odb, claim('-5')).time, 0)
  })

  it('are the pages that appeared, changed and went', () => {
    write('about.html', 'one')
    write('docs/index.html', 'docs')
    const first = readCommitFacts(odb, commit())
    const oid = hashObject('blob', Buffer.from('one'))
    assert.deepEqual(
      first.pageFiles.find(({ treePath }) => treePath === 'about.html'),
      { treePath: 'about.html', path: '/about', before: null, after: { oid, size: 3 } },
    )
    write('about.html', 'longer')
    rmSync(join(folder, 'docs/index.html'))
    const second = readCommitFacts(odb, commit())
    assert.deepEqual(
      second.pageFiles.toSorted((a, b) => (a.treePath < b.treePath ? -1 : 1)),
      [
        {
          treePath: 'about.html',
          path: '/about',
          before: oid,
          after: { oid: hashObject('blob', Buffer.from('longer')), size: 6 },
        },
        { treePath: 'docs/index.html', path: '/docs/', before: hashObject('blob', Buffer.from('docs')), after: null },
      ],
    )
  })

  it('are empty for assets, unknown dot files and names that are no page', () => {
    for (const path of [
      'style.css',
      '.site.json',
      '.templates/blank.html',
      '_redirects',
      'a.html.html',
      '.pages/x.json',
    ]) {
      write(path, '{}')
    }
    const { pageFiles, sidecars, collections, records } = readCommitFacts(odb, commit())
    assert.deepEqual([pageFiles, sidecars, collections, records], [[], [], [], []])
  })

  it('take the path of a long page from its sidecar', () => {
    const path = parsePagePath(`/${'long'.repeat(200)}`)
    write(treePathOf(path), 'one')
    assert.deepEqual(readCommitFacts(odb, commit()).pageFiles[0]?.path, undefined)
    assert.equal(readCommitFacts(odb, git(folder, 'rev-parse', 'HEAD')).pageFiles[0]?.treePath, treePathOf(path))
  })

  it('do not count a symbolic link as a page, and count a page that becomes one as removed', () => {
    write('about.html', 'one')
    symlinkSync('about.html', join(folder, 'link.html'))
    assert.deepEqual(
      readCommitFacts(odb, commit()).pageFiles.map(({ treePath }) => treePath),
      ['about.html'],
    )
    rmSync(join(folder, 'about.html'))
    symlinkSync('link.html', join(folder, 'about.html'))
    assert.deepEqual(
      readCommitFacts(odb, commit()).pageFiles.map(({ after }) => after),
      [null],
    )
  })

  it('count an executable file as a page, and ignore a change of mode alone', () => {
    write('about.html', 'one')
    commit()
    chmodSync(join(folder, 'about.html'), 0o755)
    git(folder, 'config', 'core.fileMode', 'true')
    assert.deepEqual(readCommitFacts(odb, commit()).pageFiles, [])
    write('about.html', 'two')
    assert.equal(readCommitFacts(odb, commit()).pageFiles.length, 1)
  })

  it('include sidecars, collections and records as their files have them', () => {
    const definition = encodeCollection(NEWS, 'news', { type: 'object' })
    write(sidecarPathOf(PAGE), encodeSidecar({ path: parsePagePath('/about'), title: 'About', templateId: null }))
    write(collectionPathOf(NEWS), definition)
    write(recordPathOf(NEWS, RECORD), '{"title":"One"}\n')
    const facts = readCommitFacts(odb, commit())
    assert.deepEqual(facts.sidecars, [
      { pageId: PAGE, sidecar: { path: '/about', title: 'About', isTitleMarked: true, templateId: null } },
    ])
    assert.deepEqual(facts.collections, [
      {
        collectionId: NEWS,
        definition: { name: 'news', schema: { type: 'object' }, oid: hashObject('blob', definition) },
      },
    ])
    assert.deepEqual(facts.records, [
      {
        collectionId: NEWS,
        recordId: RECORD,
        data: { title: 'One' },
        oid: hashObject('blob', Buffer.from('{"title":"One"}\n')),
      },
    ])
  })

  it('count removed and invalid files as gone', () => {
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    const invalid = ['', '[]', '{', 'null', '{"a":"\xff"}', deep, `{"a":"${'x'.repeat(1024 * 1024)}"}`]
    for (const content of invalid) {
      const bytes = Buffer.from(content, 'latin1')
      for (const path of [sidecarPathOf(PAGE), collectionPathOf(NEWS), recordPathOf(NEWS, RECORD)]) write(path, bytes)
      assertGone(commit(), content.slice(0, 20))
    }
    for (const top of ['.pages', 'collections']) rmSync(join(folder, top), { recursive: true })
    assertGone(commit(), 'removed')
  })

  function assertGone(oid: string, what: string): void {
    const { sidecars, collections, records } = readCommitFacts(odb, oid)
    assert.deepEqual(sidecars, [{ pageId: PAGE, sidecar: null }], what)
    assert.deepEqual(collections, [{ collectionId: NEWS, definition: null }], what)
    assert.deepEqual(records, [{ collectionId: NEWS, recordId: RECORD, data: null, oid: null }], what)
  }

  it('accept a record of 64 levels and one mebibyte', () => {
    const deep = `{"a":${'['.repeat(63)}${']'.repeat(63)}}`
    const large = JSON.stringify({ a: 'x'.repeat(1024 * 1024 - 8) })
    for (const content of [deep, large]) {
      write(recordPathOf(NEWS, RECORD), content)
      assert.deepEqual(readCommitFacts(odb, commit()).records[0]?.data, JSON.parse(content))
    }
  })
})
