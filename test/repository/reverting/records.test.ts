import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { conflictsOf, RevertibleSite } from './revertible-site.js'

const BOOKS = '0c000000-0000-4000-8000-000000000001'
const NEWS = '0c000000-0000-4000-8000-000000000002'
const recordId = (at: number) => `0d000000-0000-4000-8000-${String(at).padStart(12, '0')}`
const pathOf = (at: number, collection = BOOKS) => `collections/${collection}/${recordId(at)}.json`

describe('a revert of what concerns collections', () => {
  const site = new RevertibleSite()
  beforeEach(() => site.begin())
  after(() => site.close())

  it('is refused with the records that would lose their collection', async () => {
    const made = await site.makeCollection(BOOKS, 'books')
    for (const at of [1, 2, 3]) await site.makeRecord(BOOKS, recordId(at), { at })
    const conflicts = [1, 2, 3].map((at) => [pathOf(at), 'in_the_way'])
    assert.deepEqual(await conflictsOf(site.revert(made.commit)), conflicts)
    assert.deepEqual(await conflictsOf(site.dryRun(made.commit)), conflicts)
    assert.ok(site.paths().includes(`collections/${BOOKS}.json`))
  })

  it('names the commit that made the collection, and only the records that the revert leaves', async () => {
    const made = await site.makeCollection(BOOKS, 'books')
    const mine = await site.makeRecord(BOOKS, recordId(1), {})
    await site.makeRecord(BOOKS, recordId(2), {})
    const error: unknown = await site.revert(mine.commit, made.commit).catch((refused: unknown) => refused)
    const { conflicts } = (error as { details: { conflicts: { commit: string; path: string }[] } }).details
    assert.deepEqual(
      conflicts.map(({ commit, path }) => [commit, path]),
      [[made.commit, pathOf(2)]],
    )
  })

  it('goes through if it removes the records too', async () => {
    const made = await site.makeCollection(BOOKS, 'books')
    const record = await site.makeRecord(BOOKS, recordId(1), {})
    await site.revert(record.commit, made.commit)
    assert.deepEqual(site.paths(), ['.site.json'])
  })

  it('names at most 50 of the records', async () => {
    const made = await site.makeCollection(BOOKS, 'books')
    for (let at = 0; at < 60; at++) await site.makeRecord(BOOKS, recordId(at), {})
    assert.equal((await conflictsOf(site.revert(made.commit))).length, 50)
  })

  it('is refused if it would bring a record back whose collection is gone', async () => {
    await site.makeCollection(NEWS, 'news')
    await site.makeRecord(NEWS, recordId(1), {})
    const removed = await site.deleteRecord(NEWS, recordId(1))
    const gone = await site.deleteCollection(NEWS)
    assert.deepEqual(await conflictsOf(site.revert(removed.commit)), [[pathOf(1, NEWS), 'missing']])
    await site.revert(gone.commit, removed.commit)
    assert.deepEqual(site.paths(), ['.site.json', `collections/${NEWS}.json`, pathOf(1, NEWS)])
  })

  it('leaves records alone that a push left without their collection', async () => {
    await site.makeCollection(BOOKS, 'books')
    await site.makeRecord(BOOKS, recordId(1), {})
    const file = await site.put('a.txt', 'one')
    await site.push((clone) => rmSync(join(clone, 'collections', `${BOOKS}.json`)))
    await site.revert(file.commit)
    assert.deepEqual(site.paths(), ['.site.json', pathOf(1)])
  })
})
