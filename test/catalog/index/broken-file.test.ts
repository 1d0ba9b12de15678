import assert from 'node:assert/strict'
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { IndexLost, openIndex, type SiteIndex } from '../../../src/catalog/index/site-index.js'
import { IndexFile } from '../../../src/catalog/index/tables/index-file.js'
import { openSqlite } from '../../../src/catalog/sqlite/sqlite.js'
import { refusal } from '../../usecases/service-parts.js'
import { useTemporaryFolders } from '../temporary-folder.js'
import { catchUp, forget } from './open-test-index.js'
import { SITE, SiteHistory } from './site-history.js'

let now = Date.parse('2026-11-21T10:00:00.000Z')
const at = () => new Date(now)
const ASIDE = 'index.db.broken-2026-11-21T10-00-00-000Z'

describe('an index file', () => {
  const makeFolder = useTemporaryFolders()
  const history = new SiteHistory()
  for (let number = 0; number < 200; number += 1)
    history.commit({ files: { [`page-${number}.html`]: `text ${number}` } })

  beforeEach(() => {
    now = Date.parse('2026-11-21T10:00:00.000Z')
  })

  /** A folder with a whole index that nobody has open. */
  function makeIndexed(): string {
    const folder = makeFolder()
    const index = openIndex(folder, at)
    catchUp(index, history)
    index.close()
    runSql(folder, 'PRAGMA wal_checkpoint(TRUNCATE)')
    return folder
  }

  /** Catches up and asks, and once more where the file was lost on the way. */
  function countPages(index: SiteIndex): number {
    const ask = () => {
      catchUp(index, history)
      return index.pages.list(SITE, { limit: 1000 }).rows.length
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
    const index = openIndex(folder, at)
    assert.equal(index.indexedCommit(SITE), history.facts.at(-1)?.oid)
    index.close()
    assert.deepEqual(asideIn(folder), [])
  })

  it('is set aside and made anew when it is not a database', () => {
    const folder = makeFolder()
    writeFileSync(join(folder, 'index.db'), 'this was never a database. '.repeat(100))
    const index = openIndex(folder, at)
    assert.equal(countPages(index), 200)
    index.close()
    assert.match(readFileSync(join(folder, ASIDE), 'utf8'), /^this was never/)
  })

  it('is set aside and made anew when it lacks a table', () => {
    const folder = makeIndexed()
    runSql(folder, 'DROP TABLE versions')
    const index = openIndex(folder, at)
    assert.equal(countPages(index), 200)
    index.close()
    assert.ok(asideIn(folder).includes(ASIDE))
  })

  it('is made anew when its schema is older, and set aside when its schema is newer', () => {
    const folder = makeIndexed()
    runSql(folder, 'PRAGMA user_version = 99')
    const newer = openIndex(folder, at)
    assert.equal(newer.indexedCommit(SITE), undefined)
    newer.close()
    assert.ok(asideIn(folder).includes(ASIDE))
    for (const name of asideIn(folder)) rmSync(join(folder, name))
    runSql(folder, 'ALTER TABLE pages DROP COLUMN etag; PRAGMA user_version = -1')
    const index = openIndex(folder, at)
    assert.equal(countPages(index), 200)
    index.close()
    assert.deepEqual(asideIn(folder), [])
  })

  it('is set aside when a query finds it malformed, and the next query succeeds', () => {
    const folder = makeIndexed()
    spoilTable(folder, 'pages')
    const index = openIndex(folder, at)
    assert.throws(() => index.pages.list(SITE, { limit: 1000 }), IndexLost)
    assert.equal(index.indexedCommit(SITE), undefined)
    assert.equal(countPages(index), 200)
    index.close()
    assert.ok(asideIn(folder).includes(ASIDE))
  })

  it('is made anew when it loses a table while it is open', () => {
    const folder = makeIndexed()
    const index = openIndex(folder, at)
    assert.equal(countPages(index), 200)
    runSql(folder, 'DROP TABLE pages')
    assert.equal(countPages(index), 200)
    index.close()
  })

  it('is made anew when it is deleted while it is open, with or without its log', () => {
    const folder = makeIndexed()
    const index = openIndex(folder, at)
    for (const names of [['index.db'], ['index.db', 'index.db-wal', 'index.db-shm']]) {
      assert.equal(countPages(index), 200)
      for (const name of names) rmSync(join(folder, name))
      assert.equal(index.indexedCommit(SITE), undefined)
      assert.equal(countPages(index), 200)
    }
    index.close()
    const again = openIndex(folder, at)
    assert.equal(again.indexedCommit(SITE), history.facts.at(-1)?.oid)
    again.close()
  })

  it('is replaced where a folder stands in its place, before it is opened and after', () => {
    const folder = makeFolder()
    mkdirSync(join(folder, 'index.db'))
    const index = openIndex(folder, at)
    assert.equal(countPages(index), 200)
    now += 61_000
    rmSync(join(folder, 'index.db'))
    mkdirSync(join(folder, 'index.db', 'inner'), { recursive: true })
    assert.equal(countPages(index), 200)
    index.close()
  })

  it('is replaced where its log is cut short or overwritten while it is open', () => {
    for (const damage of [
      (log: string) => truncateSync(log),
      (log: string) => writeFileSync(log, Buffer.alloc(400_000, 0xa5)),
    ]) {
      const folder = makeFolder()
      const index = openIndex(folder, at, { cacheKibibytes: 10 })
      catchUp(index, history)
      damage(join(folder, 'index.db-wal'))
      assert.equal(countPages(index), 200)
      assert.equal(asideIn(folder).filter((name) => !name.endsWith('-wal')).length, 1)
      index.close()
    }
  })

  it('is set aside once a minute at the most, refuses in between, and keeps two copies', () => {
    const folder = makeIndexed()
    const told: string[] = []
    const index = openIndex(folder, at, { onSetAside: (to) => void told.push(to) })
    assert.equal(countPages(index), 200)
    runSql(folder, 'DROP TABLE pages')
    for (let round = 0; round < 4; round += 1) {
      assert.equal(countPages(index), 200)
      runSql(folder, 'DROP TABLE pages')
      for (let tries = 0; tries < 10; tries += 1) {
        assert.throws(() => index.pages.count(SITE), refusal('storage_failed'))
      }
      assert.equal(told.length, round + 1)
      now += 61_000
    }
    assert.equal(asideIn(folder).filter((name) => !name.endsWith('-wal')).length, 2)
    index.close()
  })

  it('leaves no descriptor open when it is replaced again and again', async () => {
    const folder = makeIndexed()
    const index = openIndex(folder, at)
    const before = readdirSync('/proc/self/fd').length
    for (let round = 0; round < 20; round += 1) {
      assert.equal(countPages(index), 200)
      for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
    }
    index.close()
    await collectGarbage()
    const left = readdirSync('/proc/self/fd').length - before
    assert.ok(left < 10, `${left} descriptors are left`)
  })

  it('stays in place where a question is at fault, whatever its error message says', () => {
    const folder = makeIndexed()
    const index = openIndex(folder, at)
    // SQLite's message quotes the path: "bad JSON path: 'no such table'".
    const sql = openSqlite(join(folder, 'index.db'), { synchronous: 'NORMAL' })
    assert.throws(() => sql.prepare("SELECT json_extract('{}', 'no such table')").all([]), /no such table/)
    sql.close()
    const file = new IndexFile(folder, at)
    try {
      file.sql.all("SELECT json_extract('{}', ?)", ['no such table'])
      assert.fail('the question is answered')
    } catch (error) {
      assert.equal(file.replaceIfDamaged(error), false)
    }
    file.close()
    index.close()
    assert.deepEqual(asideIn(folder), [])
  })

  it('takes nothing from a log that was left when the file was deleted', () => {
    const folder = makeFolder()
    const index = openIndex(folder, at)
    catchUp(index, history)
    const log = readFileSync(join(folder, 'index.db-wal'))
    index.close()
    rmSync(join(folder, 'index.db'))
    writeFileSync(join(folder, 'index.db-wal'), log)
    const again = openIndex(folder, at)
    assert.equal(again.indexedCommit(SITE), undefined)
    assert.equal(countPages(again), 200)
    again.close()
  })

  it('is opened again when another process put a new file in its place', () => {
    const folder = makeIndexed()
    const index = openIndex(folder, at)
    rmSync(join(folder, 'index.db'))
    const other = openIndex(folder, at)
    catchUp(other, history)
    assert.equal(index.indexedCommit(SITE), history.facts.at(-1)?.oid)
    assert.equal(countPages(index), 200)
    other.close()
    index.close()
  })

  for (const end of ['-wal', '-shm']) {
    it(`is made anew for everybody where its ${end} alone was deleted`, () => {
      const folder = makeIndexed()
      const [index, other] = [openIndex(folder, at), openIndex(folder, at)]
      assert.deepEqual([countPages(index), countPages(other)], [200, 200])
      rmSync(join(folder, `index.db${end}`))
      assert.equal(index.indexedCommit(SITE), undefined)
      catchUp(index, history)
      assert.equal(other.indexedCommit(SITE), history.facts.at(-1)?.oid)
      forget(other, SITE)
      assert.equal(index.indexedCommit(SITE), undefined)
      other.close()
      index.close()
    })
  }

  /** The driver closes a file once nothing refers to its statements. */
  async function collectGarbage(): Promise<void> {
    setFlagsFromString('--expose-gc')
    const collect: unknown = runInNewContext('gc')
    assert.ok(typeof collect === 'function')
    for (let round = 0; round < 3; round += 1) {
      collect()
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  function asideIn(folder: string): string[] {
    return readdirSync(folder).filter((name) => name.includes('broken'))
  }

  /** Overwrites where a table and its indexes begin, as a bad disk would. */
  function spoilTable(folder: string, table: string): void {
    const file = join(folder, 'index.db')
    const sqlite = openSqlite(file, { synchronous: 'NORMAL' })
    const roots = sqlite
      .prepare<{ rootpage: number }>('SELECT rootpage FROM sqlite_master WHERE tbl_name = ? AND rootpage > 0')
      .all([table])
    sqlite.close()
    assert.ok(roots.length > 0)
    const descriptor = openSync(file, 'r+')
    for (const { rootpage } of roots) writeSync(descriptor, Buffer.alloc(4096, 0xa5), 0, 4096, (rootpage - 1) * 4096)
    closeSync(descriptor)
  }

  function runSql(folder: string, sql: string): void {
    const sqlite = openSqlite(join(folder, 'index.db'), { synchronous: 'NORMAL' })
    sqlite.exec(sql)
    sqlite.close()
  }
})
