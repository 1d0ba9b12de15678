import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type Catalog, openCatalog } from '../../../src/catalog/catalog.js'
import { catalogMigrations } from '../../../src/catalog/database/catalog-migrations.js'
import { openDatabase } from '../../../src/catalog/database/database.js'
import { hashKey, mintKey } from '../../../src/model/key-format.js'
import { authenticate } from '../../../src/usecases/access/authenticate.js'
import { authenticateSession } from '../../../src/usecases/access/authenticate-session.js'
import { makeSignInToken, signIn } from '../../../src/usecases/sign-in/sign-in-link.js'
import { useTemporaryFolders } from '../temporary-folder.js'

const clock = () => new Date('2026-11-21T10:00:00Z')
const TIMES = { created_at: '2026-11-01T00:00:00Z', expires_at: '2026-12-01T00:00:00Z' }

describe('a catalog from before people had accounts', () => {
  const makeFolder = useTemporaryFolders()
  const key = mintKey()
  let catalog: Catalog
  let id = 0
  const parts = () => ({ catalog, clock, newId: () => `user-${++id}`, limits: { sessionDays: 30 } })

  before(async () => {
    const folder = makeFolder()
    await makeOldCatalog(folder, key)
    catalog = await openCatalog(folder, { clock })
  })
  after(() => catalog.close())

  it('opens with its keys, which belong to the workspace', () => {
    const principal = authenticate({ catalog, clock }, key)
    assert.deepEqual([principal.scopes, principal.person], [['write'], undefined])
  })

  it('opens with its sessions, each of an owner without a name', () => {
    const principal = authenticateSession({ catalog }, 'an old cookie')
    assert.deepEqual([principal.label, principal.scopes, principal.person], ['Ada', ['admin'], undefined])
  })

  it('opens with its sign-in links: the first person who enters is the owner', async () => {
    const session = await signIn(parts(), 'an old link', {})
    const principal = authenticateSession({ catalog }, session.secret)
    assert.deepEqual(principal.person, { id: 'user-1', name: 'Grace', role: 'owner' })
  })

  it('lets the first owner in again by a link without a name', async () => {
    const token = await makeSignInToken({ catalog, clock }, 'w', {})
    assert.equal((await signIn(parts(), token, {})).userId, 'user-1')
  })
})

/** Writes a catalog with the steps of the version before, and a key, a session and a sign-in link in it. */
async function makeOldCatalog(folder: string, key: string): Promise<void> {
  const steps = Object.entries(catalogMigrations).filter(([name]) => name < '0017')
  const old = await openDatabase(join(folder, 'catalog.db'), {
    synchronous: 'FULL',
    migrations: Object.fromEntries(steps),
  })
  const insert = (table: string, row: Record<string, unknown>) => {
    const columns = Object.keys(row)
    old.sqlite
      .prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`)
      .run(Object.values(row))
  }
  const ofWorkspace = { workspace_id: 'w' }
  insert('workspaces', { id: 'w', name: 'Old', created_at: TIMES.created_at })
  insert('api_keys', {
    id: 'k',
    ...ofWorkspace,
    label: 'CI',
    prefix: 'p',
    hash: hashKey(key),
    scopes: 'write',
    ...TIMES,
  })
  insert('sessions', { id: 's', hash: hashKey('an old cookie'), ...ofWorkspace, label: 'Ada', ...TIMES })
  insert('sign_in_links', {
    hash: hashKey('an old link'),
    ...ofWorkspace,
    label: 'Grace',
    expires_at: TIMES.expires_at,
  })
  old.close()
}
