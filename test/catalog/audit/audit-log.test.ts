import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type Catalog, openCatalog } from '../../../src/catalog/catalog.js'
import { OPERATOR_CHAIN } from '../../../src/catalog/audit/chain.js'
import type { NewAuditEntry } from '../../../src/catalog/audit/entries.js'
import { type ChainReport, verifyChain } from '../../../src/catalog/audit/verify-chain.js'
import { openSqlite } from '../../../src/catalog/sqlite/sqlite.js'
import { isTextSignedBy } from '../../../src/git/objects/commit-signature.js'
import { readSigners, signWithOwnKey } from '../../../src/repository/disk/signing-key.js'
import { useTemporaryFolders } from '../temporary-folder.js'

const DAY_MS = 86_400_000
const PERSON = '3f2a9c1e-5b7d-4e0a-9c1f-2d4b6a8c0e12'

describe('the audit log', () => {
  const makeFolder = useTemporaryFolders()
  let folder: string
  let now: Date
  let catalog: Catalog

  beforeEach(async () => {
    folder = makeFolder()
    now = new Date('2026-11-21T12:00:00Z')
    catalog = await openCatalog(folder, { clock: () => now })
    catalog.audit.retain({ days: 400, sign: (text) => signWithOwnKey(folder, text) })
  })
  afterEach(() => catalog.close())

  const record = (more: Partial<NewAuditEntry> = {}) =>
    catalog.audit.record({
      workspaceId: 'ours',
      actor: { kind: 'session', id: 'session-1', userId: PERSON },
      action: 'key.create',
      target: 'key key-1',
      personal: { name: 'Ada', address: '192.0.2.7' },
      ...more,
    })
  const verify = (chain = 'ours'): Promise<ChainReport> =>
    verifyChain(catalog.audit, chain, (text, signature) =>
      isTextSignedBy(
        text,
        signature,
        readSigners(folder).map(({ key }) => key),
      ),
    )
  const harm = (statement: string) => {
    const sqlite = openSqlite(join(folder, 'catalog.db'), { synchronous: 'FULL' })
    sqlite.exec(statement)
    sqlite.close()
  }

  it('keeps a chain for each workspace and one for the operator, which verify', async () => {
    for (let i = 0; i < 3; i++) await record()
    await record({ workspaceId: 'theirs' })
    await record({ workspaceId: OPERATOR_CHAIN, actor: { kind: 'operator', id: 'operator' } })
    assert.deepEqual(catalog.audit.chains(), ['', 'ours', 'theirs'])
    const { entries, end, fault } = await verify()
    assert.deepEqual([entries, end.number, fault], [3, 3, undefined])
    const [newest] = catalog.audit.before('ours', Number.MAX_SAFE_INTEGER, 1)
    assert.deepEqual(newest?.personal, { name: 'Ada', address: '192.0.2.7' })
  })

  it('keeps every entry when many are recorded at once', async () => {
    await Promise.all(Array.from({ length: 20 }, () => record()))
    assert.equal((await verify()).entries, 20)
  })

  it('never goes back in time, as lists since a time rely on', async () => {
    await record()
    now = new Date('2026-11-21T11:00:00Z')
    await record()
    const times = catalog.audit.before('ours', Number.MAX_SAFE_INTEGER, 2).map(({ at }) => at)
    assert.deepEqual(times, ['2026-11-21T12:00:00Z', '2026-11-21T12:00:00Z'])
  })

  for (const [what, statement, fault] of [
    [
      'changed',
      `UPDATE audit_entries SET entry = replace(entry, 'key-1', 'key-2') WHERE number = 2`,
      /entry 2: it was changed/,
    ],
    ['removed', 'DELETE FROM audit_entries WHERE number = 2', /entry 2: it is missing; entry 3 comes next/],
    ['removed at the beginning', 'DELETE FROM audit_entries WHERE number = 1', /entry 1: it is missing/],
    [
      'added between two others',
      `UPDATE audit_entries SET number = 4 WHERE number = 3;
       INSERT INTO audit_entries SELECT workspace_id, 3, entry, personal, salt, hash FROM audit_entries WHERE number = 2`,
      /entry 3: it was changed/,
    ],
    [
      'given other personal facts',
      `UPDATE audit_entries SET personal = '{"name":"Eve"}' WHERE number = 2`,
      /entry 2: its personal facts were changed/,
    ],
  ] as const)
    it(`names an entry that was ${what}`, async () => {
      for (let i = 0; i < 3; i++) await record()
      harm(statement)
      assert.match((await verify()).fault ?? 'sound', fault)
    })

  it('removes old entries in portions as others are written, and leaves a signed anchor', async () => {
    for (let i = 0; i < 120; i++) await record()
    now = new Date(now.getTime() + 401 * DAY_MS)
    await record()
    assert.deepEqual((await verify()).entries, 21)
    assert.equal(catalog.audit.anchor('ours')?.number, 100)
    await record()
    const { entries, end, fault } = await verify()
    assert.deepEqual([entries, end.number, fault], [2, 122, undefined])
  })

  it('goes on after an anchor when no entry is left', async () => {
    await record()
    now = new Date(now.getTime() + 401 * DAY_MS)
    await record()
    harm('DELETE FROM audit_entries')
    assert.match((await verify()).fault ?? 'sound', /^sound$/)
    await record()
    assert.equal((await verify()).end.number, 2)
  })

  it('does not take an anchor that the service has not signed', async () => {
    for (let i = 0; i < 3; i++) await record()
    const [, second] = catalog.audit.rowsAfter('ours', 0, 2)
    const signature = Buffer.alloc(64).toString('base64url')
    harm(
      `DELETE FROM audit_entries WHERE number <= 2;
       INSERT INTO audit_anchors VALUES ('ours', 2, '${second?.hash ?? ''}', '2026-11-21T12:00:00Z', '${signature}')`,
    )
    assert.match((await verify()).fault ?? 'sound', /the anchor after entry 2: no key of the service signed it/)
  })

  it('keeps all entries if retention is off', async () => {
    catalog.audit.retain({ days: 0, sign: () => assert.fail() })
    await record()
    now = new Date(now.getTime() + 4000 * DAY_MS)
    await record()
    assert.equal((await verify()).entries, 2)
  })

  it('forgets the facts about one person, and still verifies', async () => {
    const other = { kind: 'session', id: 'session-2', userId: 'other' } as const
    await record()
    await record({ actor: other, target: `user ${PERSON}`, personal: { name: 'Bob', about: 'Ada' } })
    await record({ actor: other, personal: { name: 'Bob' } })
    assert.equal(await catalog.audit.erase(PERSON), 2)
    const facts = catalog.audit.before('ours', Number.MAX_SAFE_INTEGER, 3).map(({ personal }) => personal)
    assert.deepEqual(facts, [{ name: 'Bob' }, null, null])
    assert.deepEqual(
      catalog.audit.rowsAfter('ours', 0, 3).map(({ salt }) => salt === null),
      [true, true, false],
    )
    assert.equal((await verify()).fault, undefined)
  })
})
