import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type SiteIndex, SiteIndexes } from '../../src/index/site-index.js'
import { IndexLost, IndexMoved } from '../../src/index/tables/index-position.js'
import { OpenFiles } from '../../src/index/tables/open-files.js'
import { siteFileOf } from '../../src/index/tables/site-file.js'
import { openSqlite } from '../../src/catalog/sqlite/sqlite.js'
import { useTemporaryFolders } from '../catalog/temporary-folder.js'
import { catchUp, openIndexes, rowsFileOf, spoilTable } from './open-test-index.js'
import { SITE, SiteHistory } from './site-history.js'

describe('an index file', () => {
  const makeFolder = useTemporaryFolders()
  const history = new SiteHistory()
  for (let number = 0; number < 200; number += 1)
    history.commit({ files: { [`page-${number}.html`]: `text ${number}` } })

  const opened: SiteIndexes[] = []

  afterEach(() => {
    for (const indexes of opened.splice(0)) indexes.close()
  })

  /** The site's index, opened by itself. */
  function open(folder: string): SiteIndex {
    const indexes = openIndexes(folder)
    opened.push(indexes)
    return indexes.of(SITE)
  }

  function closeAll(): void {
    for (const indexes of opened.splice(0)) indexes.close()
  }

  /** Makes a folder with a complete index that is not open. */
  function makeIndexed(): string {
    const folder = makeFolder()
    catchUp(open(folder), history)
    closeAll()
    return folder
  }

  /** Catches up and asks, and once more where the file was lost on the way. */
  function countPages(index: SiteIndex): number {
    const ask = () => {
      catchUp(index, history)
      return index.pages.list({ limit: 1000 }).rows.length
    }
    try {
      return ask()
    } catch (error) {
      assert.ok(error instanceof IndexLost)
      return ask()
    }
  }

  it('keeps its rows from one opening to the next', () => {
    const folder = makeIndexed()
    const index = open(folder)
    assert.equal(index.indexedCommit, history.facts.at(-1)?.oid)
  })

  it('is removed and rebuilt if it is not a database', () => {
    const folder = makeFolder()
    mkdirSync(dirname(rowsFileOf(folder)), { recursive: true })
    writeFileSync(rowsFileOf(folder), 'this was never a database. '.repeat(100))
    const index = open(folder)
    assert.equal(countPages(index), 200)
  })

  it('is removed and rebuilt if it lacks a table', () => {
    const folder = makeIndexed()
    runSql(folder, 'DROP TABLE versions')
    const index = open(folder)
    assert.equal(countPages(index), 200)
  })

  it('is rebuilt if its schema is older or newer', () => {
    const withoutHeads =
      'ALTER TABLE pages DROP COLUMN robots; ALTER TABLE records DROP COLUMN instants; PRAGMA user_version = 13'
    const withoutFolded = 'ALTER TABLE records DROP COLUMN folded; PRAGMA user_version = 14'
    const older = ['ALTER TABLE pages DROP COLUMN etag; PRAGMA user_version = 1', withoutHeads, withoutFolded]
    for (const sql of ['PRAGMA user_version = 99', ...older]) {
      const folder = makeIndexed()
      runSql(folder, sql)
      const index = open(folder)
      assert.equal(index.indexedCommit, undefined)
      assert.equal(countPages(index), 200)
    }
  })

  it('is removed if a query finds it malformed, and the next query succeeds', () => {
    const folder = makeIndexed()
    spoilTable(rowsFileOf(folder), 'pages')
    const index = open(folder)
    assert.throws(() => index.pages.list({ limit: 1000 }), IndexLost)
    assert.equal(index.indexedCommit, undefined)
    assert.equal(countPages(index), 200)
  })

  it('is rebuilt if it loses a table while it is open', () => {
    const folder = makeIndexed()
    const index = open(folder)
    assert.equal(countPages(index), 200)
    runSql(folder, 'DROP TABLE pages')
    assert.equal(countPages(index), 200)
  })

  it('is rebuilt if it is deleted while it is open, with or without its log, or with its folder', () => {
    const folder = makeIndexed()
    const index = open(folder)
    const file = rowsFileOf(folder)
    for (const names of [[file], [file, `${file}-wal`, `${file}-shm`], [dirname(dirname(file))]]) {
      assert.equal(countPages(index), 200)
      for (const name of names) rmSync(name, { recursive: true })
      assert.equal(index.indexedCommit, undefined)
      assert.equal(countPages(index), 200)
    }
    closeAll()
    assert.equal(open(folder).indexedCommit, history.facts.at(-1)?.oid)
  })

  it('is replaced if a folder stands in its place, before it is opened and after', () => {
    const folder = makeFolder()
    mkdirSync(rowsFileOf(folder), { recursive: true })
    const index = open(folder)
    assert.equal(countPages(index), 200)
    rmSync(rowsFileOf(folder))
    mkdirSync(`${rowsFileOf(folder)}/inner`, { recursive: true })
    assert.equal(countPages(index), 200)
  })

  it('is replaced if its log is cut short or overwritten while it is open', () => {
    for (const damage of [
      (log: string) => truncateSync(log),
      (log: string) => writeFileSync(log, Buffer.alloc(400_000, 0xa5)),
    ]) {
      const folder = makeFolder()
      const indexes = new SiteIndexes(folder, { access: 'makes', cacheKibibytes: 10 })
      opened.push(indexes)
      catchUp(indexes.of(SITE), history)
      damage(`${rowsFileOf(folder)}-wal`)
      assert.equal(countPages(indexes.of(SITE)), 200)
    }
  })

  it('leaves no descriptor open if it is replaced again and again', () => {
    const folder = makeIndexed()
    const index = open(folder)
    const before = readdirSync('/proc/self/fd').length
    for (let round = 0; round < 20; round += 1) {
      assert.equal(countPages(index), 200)
      rmSync(dirname(rowsFileOf(folder)), { recursive: true })
    }
    const left = readdirSync('/proc/self/fd').length - before
    assert.ok(left < 10, `${left} descriptors are left`)
  })

  it('is one of at most a hundred open ones, for any number of sites', () => {
    const folder = makeFolder()
    const indexes = openIndexes(folder)
    opened.push(indexes)
    const before = readdirSync('/proc/self/fd').length
    const siteAt = (number: number) => indexes.of(SITE.replace(/.{3}$/, String(number).padStart(3, '0')))
    for (let number = 0; number < 120; number += 1) siteAt(number).apply(history.facts.slice(0, 1), history.read)
    for (let number = 0; number < 120; number += 1) assert.equal(siteAt(number).indexedCommit, history.facts[0]?.oid)
    const descriptors = readdirSync('/proc/self/fd').length - before
    assert.ok(descriptors <= 310, `${descriptors} descriptors are open`)
  })

  it('stays in place if only the question is wrong, with any error message', () => {
    const folder = makeIndexed()
    const file = siteFileOf(folder, SITE, 'rows')
    const files = new OpenFiles({ isUsable: () => true, busyTimeout: 0 })
    try {
      // SQLite's message quotes the path: "bad JSON path: 'no such table'".
      files.at(file)?.sql.all("SELECT json_extract('{}', ?)", ['no such table'])
      assert.fail('the question is answered')
    } catch (error) {
      assert.match(String(error), /no such table/)
      assert.equal(files.removeIfDamaged(file, error), false)
    }
    files.closeAll()
    assert.equal(open(folder).indexedCommit, history.facts.at(-1)?.oid)
  })

  it('ignores a log that was left when the file was deleted', () => {
    const folder = makeFolder()
    catchUp(open(folder), history)
    const log = readFileSync(`${rowsFileOf(folder)}-wal`)
    closeAll()
    rmSync(rowsFileOf(folder))
    writeFileSync(`${rowsFileOf(folder)}-wal`, log)
    const again = open(folder)
    assert.equal(again.indexedCommit, undefined)
    assert.equal(countPages(again), 200)
  })

  it('is opened again if another process put a new file in its place', () => {
    const folder = makeIndexed()
    const index = open(folder)
    assert.equal(countPages(index), 200)
    rmSync(rowsFileOf(folder))
    catchUp(open(folder), history)
    assert.equal(index.indexedCommit, history.facts.at(-1)?.oid)
    assert.equal(countPages(index), 200)
  })

  for (const end of ['-wal', '-shm']) {
    it(`is rebuilt for all its users if only its ${end} was deleted`, () => {
      const folder = makeIndexed()
      const [index, other] = [open(folder), open(folder)]
      assert.deepEqual([countPages(index), countPages(other)], [200, 200])
      rmSync(`${rowsFileOf(folder)}${end}`)
      assert.equal(index.indexedCommit, undefined)
      catchUp(index, history)
      assert.equal(other.indexedCommit, history.facts.at(-1)?.oid)
      other.forget()
      assert.equal(index.indexedCommit, undefined)
    })
  }

  it('is not created by a process that only reads, or only follows', () => {
    const folder = makeFolder()
    for (const access of ['reads', 'follows'] as const) {
      const index = new SiteIndexes(folder, { access }).of(SITE)
      assert.equal(index.indexedCommit, undefined)
      assert.equal(index.pages.count(), 0)
      assert.throws(() => catchUp(index, history), IndexMoved)
    }
    assert.deepEqual(readdirSync(folder), [])
  })

  function runSql(folder: string, sql: string): void {
    const sqlite = openSqlite(rowsFileOf(folder), { synchronous: 'NORMAL' })
    sqlite.exec(sql)
    sqlite.close()
  }
})
