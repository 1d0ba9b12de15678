// The tasks about collections and their records.

import assert from 'node:assert/strict'
import type { Desk } from '../desk.js'
import type { Keys } from './keys.js'
import type { Task } from './task.js'

const BOOKS = { title: 'Books', type: 'object', required: ['title'], properties: { title: { type: 'string' } } }

interface Answer<T> {
  data: T
}

/** Opens a new collection. Returns what reads the titles of its records. */
async function openBooks(keys: Keys, desk: Desk, ...titles: string[]): Promise<() => Promise<string[]>> {
  const api = desk.service.api()
  const name = `books ${Date.now()}`
  const { body } = await api.post('/collections').send({ name, schema: BOOKS }).expect(201)
  const records = `/collections/${(body as Answer<{ id: string }>).data.id}/records`
  for (const title of titles) await api.post(records).send({ data: { title } }).expect(201)
  await keys.tab.goto(desk.at(`/sites/demo${records.replace('/records', '')}`))
  return async () => {
    const answer = await desk.service.api().get(records).expect(200)
    return (answer.body as Answer<{ data: { title: string } }[]>).data.map(({ data }) => data.title)
  }
}

export const RECORD_TASKS: readonly Task[] = [
  {
    does: 'makes a collection from fields of several kinds, and adds a record by its form',
    calls: [
      'screens/collections/schema/new-collection.tsx POST /collections',
      'screens/collections/form/save-record.ts POST /collections/{id}/records',
    ],
    screens: ['/sites/:site/collections', '/sites/:site/collections/:collection'],
    async by(keys, desk) {
      await keys.tab.goto(desk.at('/sites/demo/collections'))
      await keys.push('New collection')
      await keys.type('Cakes')
      await keys.push('Add a field')
      await keys.type('Baked')
      await keys.select('Kind of Baked', 'Date')
      await keys.push('Move Baked up')
      await keys.push('Create the collection')
      await keys.push('New record')
      await keys.fillTime('Baked', '11292026')
      await keys.fill(/^Title/, 'Apple cake')
      await keys.press('Enter')
      await keys.said('Added Apple cake to Cakes.')
      const id = keys.tab.url().split('/').at(-1)
      const { body } = await desk.service.api().get(`/collections/${id}/records`).expect(200)
      assert.deepEqual((body as Answer<{ data: object }[]>).data[0]?.data, { title: 'Apple cake', baked: '2026-11-29' })
    },
  },
  {
    does: 'changes a record, deletes it, and brings it back',
    calls: [
      'screens/collections/form/save-record.ts PUT /collections/{id}/records/{recordId}',
      'screens/collections/form/save-record.ts POST /batch',
      'screens/collections/form/save-record.ts POST /sites/{id}/undo',
    ],
    async by(keys, desk) {
      const titles = await openBooks(keys, desk, 'Fasti', 'Medea')
      await keys.push('Fasti')
      await keys.fill(/^Title/, 'Tristia')
      await keys.press('Enter')
      await keys.said('Saved Tristia.')
      assert.deepEqual(await titles(), ['Tristia', 'Medea'])
      await keys.pick('Actions for Tristia', 'Delete')
      await keys.said(/^Deleted Tristia/)
      assert.deepEqual(await titles(), ['Medea'])
      assert.ok(await keys.hasPlace())
      await keys.push('Undo')
      await keys.said(/^Brought back Tristia/)
      assert.equal((await titles()).length, 2)
    },
  },
  {
    does: 'chooses several records, and deletes them',
    async by(keys, desk) {
      const titles = await openBooks(keys, desk, 'One', 'Two', 'Three')
      await keys.toggle('Choose One')
      await keys.toggle('Choose Three')
      await keys.push('Delete')
      await keys.push('Delete 2 records')
      await keys.said(/^Deleted 2 records/)
      assert.deepEqual(await titles(), ['Two'])
    },
  },
  {
    does: 'sorts the records by a column, and filters them',
    async by(keys, desk) {
      await openBooks(keys, desk, 'Beta', 'Alpha')
      await keys.push('Title')
      await keys.tab.locator('th[aria-sort=ascending]').waitFor()
      await keys.push('Filter')
      await keys.fill('Value', 'Alpha')
      await keys.press('Enter')
      await keys.sees(/^1 record/)
      await keys.push(/^Remove the filter: /)
      await keys.sees(/^2 records/)
    },
  },
  {
    does: 'imports records from a CSV file',
    calls: ['screens/collections/csv/import-records.ts POST /batch'],
    async by(keys, desk) {
      const titles = await openBooks(keys, desk)
      await keys.pick('Actions for Books', 'Import CSV…')
      const csv = { name: 'books.csv', mimeType: 'text/csv', buffer: Buffer.from('title\r\nIbis\r\n') }
      await keys.give([csv], () => keys.push('Choose a CSV file…'))
      await keys.push('Import 1 record')
      await keys.said('Added 1 record to Books.')
      assert.deepEqual(await titles(), ['Ibis'])
    },
  },
  {
    does: 'renames a collection, changes its fields, and deletes it',
    calls: [
      'screens/collections/schema/save-collection.ts PUT /collections/{id}',
      'screens/collections/schema/save-collection.ts DELETE /collections/{id}',
    ],
    async by(keys, desk) {
      await openBooks(keys, desk, 'Fasti')
      const id = keys.tab.url().split('/').at(-1)
      await keys.pick('Actions for Books', 'Rename…')
      await keys.fill('Title', 'Rolls')
      await keys.press('Enter')
      await keys.said('Renamed Books to Rolls.')
      await keys.pick('Actions for Rolls', 'Fields…')
      await keys.push('Add a field')
      await keys.type('Place')
      await keys.push('Save')
      await keys.said('Saved the fields of Rolls.')
      const { body } = await desk.service.api().get(`/collections/${id}`).expect(200)
      assert.ok('place' in (body as Answer<{ schema: { properties: object } }>).data.schema.properties)
      await keys.pick('Actions for Rolls', 'Delete the collection…')
      await keys.push('Delete the collection')
      await keys.said(/^Deleted Rolls\./)
      await desk.service.api().get(`/collections/${id}`).expect(404)
    },
  },
]
