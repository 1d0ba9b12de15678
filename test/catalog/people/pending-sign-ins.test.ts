import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MAX_UNFINISHED_ROWS } from '../../../src/admission/unfinished-rows.js'
import { type Catalog, openCatalog } from '../../../src/catalog/catalog.js'
import { catalogMigrations } from '../../../src/catalog/database/catalog-migrations.js'
import { openDatabase } from '../../../src/catalog/database/database.js'
import type { PendingSignIn } from '../../../src/catalog/people/pending-sign-ins.js'
import { openSqlite } from '../../../src/catalog/sqlite/sqlite.js'
import { hashKey } from '../../../src/model/key-format.js'
import { useTemporaryFolders } from '../temporary-folder.js'

const AT = Date.parse('2026-11-21T10:00:00Z') / 1000
const PENDING: PendingSignIn = {
  provider: 'work',
  nonce: 'a-nonce-of-the-browser',
  verifier: 'a-verifier-of-the-browser',
  to: '/',
  purpose: 'enter',
  browser: 'b',
  invitation: 'the-token-of-an-invitation',
  begunAt: AT,
}

describe('a sign-in that is not finished', () => {
  const makeFolder = useTemporaryFolders()
  let folder: string
  let catalog: Catalog
  let now = AT

  beforeEach(async () => {
    now = AT
    folder = makeFolder()
    catalog = await openCatalog(folder, { clock: () => new Date(now * 1000) })
  })
  afterEach(() => catalog.close())

  const remembered = (askedFrom: string | null = '192.0.2.1') => ({ seconds: 600, askedFrom })

  it('is known to the holder of its secret alone, once and in time', async () => {
    await catalog.pendingSignIns.add('state', PENDING, remembered())
    assert.equal(await catalog.pendingSignIns.take('another'), undefined)
    assert.deepEqual(await catalog.pendingSignIns.take('state'), PENDING)
    assert.equal(await catalog.pendingSignIns.take('state'), undefined)
    await catalog.pendingSignIns.add('late', PENDING, remembered())
    now += 600
    assert.equal(await catalog.pendingSignIns.take('late'), undefined)
  })

  it('leaves no invitation and no secret of the browser in a copy of the catalog', async () => {
    await catalog.pendingSignIns.add('the-state-of-the-browser', PENDING, remembered())
    const copy = join(folder, 'copy.db')
    catalog.copyTo(copy)
    const bytes = readFileSync(copy)
    for (const secret of [PENDING.invitation ?? '', PENDING.nonce, PENDING.verifier, 'the-state-of-the-browser'])
      assert.equal(bytes.includes(secret), false, secret)
  })

  it('of an earlier version is begun again, as is a question to a passkey', async () => {
    const old = makeFolder()
    const steps = Object.entries(catalogMigrations).filter(([name]) => name <= '0017-people-agents-audit')
    const file = join(old, 'catalog.db')
    const before = await openDatabase(file, { synchronous: 'FULL', migrations: Object.fromEntries(steps) })
    const insert = before.sqlite.prepare(
      "INSERT INTO oauth_items (kind, hash, payload, expires_at) VALUES ('sign-in', ?1, ?2, ?3)",
    )
    insert.run([hashKey('state'), JSON.stringify(PENDING), AT + 600])
    before.sqlite.exec("INSERT INTO passkey_challenges VALUES ('a', '2999-01-01T00:00:00Z')")
    before.close()
    const upgraded = await openCatalog(old, { clock: () => new Date(AT * 1000) })
    assert.equal(await upgraded.pendingSignIns.take('state'), undefined)
    assert.equal(await upgraded.pendingSignIns.answer('challenge'), false)
    await upgraded.pendingSignIns.ask('challenge', remembered())
    const both = await Promise.all([1, 2].map(() => upgraded.pendingSignIns.answer('challenge')))
    assert.equal(both.filter(Boolean).length, 1)
    await upgraded.close()
  })

  it('gives way at the bound if it is the oldest of the network with the most, and never to a person who is signed in', async () => {
    const rows = openSqlite(join(folder, 'catalog.db'), { synchronous: 'FULL', mustExist: true })
    const insert = rows.prepare(
      "INSERT INTO oauth_items (kind, hash, payload, asked_from, made_at, expires_at) VALUES ('Client', ?1, '{}', ?2, ?3, ?4)",
    )
    const fill = (network: string, number: number, madeAt: number) =>
      rows.transact(() => {
        for (let i = 0; i < number; i++) insert.run([`${network} ${i}`, network, madeAt + i, AT + 86_400])
      })
    const has = (network: string, i: number) =>
      rows.prepare('SELECT 1 FROM oauth_items WHERE hash = ?1').all([`${network} ${i}`]).length === 1
    // The oldest of all is of a network with few.
    fill('few', 10, AT - 10_000)
    fill('many', MAX_UNFINISHED_ROWS - 1_010, AT - 9_000)
    fill('some', 1_000, AT - 9_500)
    await catalog.pendingSignIns.ask('of a person', remembered(null))
    assert.ok(has('many', 0))
    await catalog.pendingSignIns.ask('of a stranger', remembered('few'))
    assert.deepEqual([has('few', 0), has('some', 0), has('many', 0), has('many', 2)], [true, true, false, true])
    assert.ok(await catalog.pendingSignIns.answer('of a person'))
    assert.ok(await catalog.pendingSignIns.answer('of a stranger'))
    rows.close()
  })
})
