import assert from 'node:assert/strict'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { openSqlite, type SqliteHandle } from '../../../src/catalog/sqlite/sqlite.js'
import { useIndex } from './open-test-index.js'

/** More than the log may have before a thread with long work waits. */
const LOG_BYTES = 80 * 1024 * 1024
const ROW_BYTES = 1024 * 1024

describe('the log of the index, where somebody reads what was there before it', () => {
  const openTestIndex = useIndex()
  let reader: SqliteHandle
  let writer: SqliteHandle

  afterEach(() => {
    for (const connection of [reader, writer]) connection.close()
  })

  it('is copied as far as that allows, and holds up no write meanwhile', async () => {
    const { index, folder } = openTestIndex()
    index.position('any')
    const open = () =>
      openSqlite(join(folder, 'index.db'), { synchronous: 'NORMAL', busyTimeout: 0, checkpointPages: 0 })
    ;[reader, writer] = [open(), open()]
    writer.exec('CREATE TABLE filler (number INTEGER, bytes BLOB)')
    reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM filler').all([])
    const insert = writer.prepare(`INSERT INTO filler VALUES (?, zeroblob(${ROW_BYTES}))`)
    writer.transact(() => {
      for (let row = 0; row < LOG_BYTES / ROW_BYTES; row += 1) insert.run([row])
    })
    const thread = new Worker(new URL('./checkpoint-thread.js', import.meta.url), { workerData: folder })
    await once(thread, 'message')
    const checkpoint = { isOver: false }
    thread.once('exit', () => (checkpoint.isOver = true))
    thread.postMessage('begin')
    let writes = 0
    for (; !checkpoint.isOver; writes += 1) {
      insert.run([writes])
      await pause(10)
    }
    assert.ok(writes > 0)
  })
})
