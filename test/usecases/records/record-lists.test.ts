import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TaskPool } from '../../../src/tasks/task-pool.js'
import type { Tasks } from '../../../src/tasks/tasks.js'
import { ENTRIES } from '../../../src/threads/entries.js'
import { createPage, getPage } from '../../../src/usecases/pages/pages.js'
import { createCollection } from '../../../src/usecases/records/collections.js'
import { createRecord, listRecords } from '../../../src/usecases/records/records.js'
import { git, withClone } from '../../support/git.js'
import { openServiceParts, type ServiceParts } from '../service-parts.js'

const RECORDS = 400
const RECORD_BYTES = 60_000
const MAX_LISTED_BYTES = 8 * 1024 * 1024

describe('a list of large records', () => {
  let parts: ServiceParts
  let collectionId: string
  let pageId: string

  before(async () => {
    parts = await openServiceParts()
    const { services } = parts
    collectionId = (await createCollection({ ...services, ...parts.context() }, { name: 'large' })).data.id
    pageId = (await createPage({ ...services, ...parts.context() }, { path: '/page', html: 'page' })).data.id
    await withClone(parts.gitdir(), (folder) => {
      mkdirSync(join(folder, 'collections', collectionId))
      const record = JSON.stringify({ text: 'a'.repeat(RECORD_BYTES) })
      for (let i = 0; i < RECORDS; i += 1)
        writeFileSync(join(folder, 'collections', collectionId, `${randomUUID()}.json`), record)
      git(folder, 'add', '.')
      git(folder, 'commit', '-q', '-m', 'Many records')
      git(folder, 'push', '-q')
    })
    await parts.untilSeen()
  })
  after(() => parts.stop())

  it('ends before its data exceed 8 MiB, and continues there', async () => {
    const ids = new Set<string>()
    let lists = 0
    for (let cursor: string | undefined | null; cursor !== null; lists += 1) {
      const slice = { id: collectionId, limit: 1_000, ...(cursor !== undefined && { cursor }) }
      const { data, nextCursor = null } = await listRecords(parts.call(), slice)
      assert.ok(JSON.stringify(data.map((record) => record.data)).length <= MAX_LISTED_BYTES)
      for (const { id } of data) ids.add(id)
      cursor = nextCursor
    }
    assert.deepEqual([ids.size, lists], [RECORDS, 3])
  })

  it('is refused after its deadline, and other requests are answered meanwhile', async () => {
    const tasks: Tasks = new TaskPool({ entry: ENTRIES.taskWorker, processes: 2, deadlineMs: 50 })
    try {
      const filter = Array.from(
        { length: 20 },
        () => ({ field: 'text', op: 'contains', value: `${'a'.repeat(255)}b` }) as const,
      )
      let isRefused = false
      const list = listRecords({ ...parts.services, tasks, ...parts.context() }, { id: collectionId, filter }).catch(
        (error: unknown) => {
          isRefused = true
          throw error
        },
      )
      // On a busy machine it gets little processor time, and is not blamed.
      const refused = assert.rejects(list, { code: /^(too_costly|service_busy)$/ })
      const read = await getPage(parts.call(), { id: pageId })
      assert.deepEqual([read.data.path, isRefused], ['/page', false])
      await refused
    } finally {
      await tasks.close()
    }
  })

  it('includes a large new record at once, also in a search for its words', async () => {
    const data = { text: `needle ${'hay '.repeat(16_000)}` }
    const made = await createRecord(parts.call(), { id: collectionId, data })
    const found = await listRecords(parts.call(), { id: collectionId, q: 'needle' })
    assert.deepEqual(
      found.data.map(({ id }) => id),
      [made.data.id],
    )
  })
})
