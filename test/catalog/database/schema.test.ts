import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { catalogMigrations } from '../../../src/catalog/database/catalog-migrations.js'
import { openDatabase } from '../../../src/catalog/database/database.js'
import { useTemporaryFolders } from '../temporary-folder.js'

/** The beginning of the SHA-256 of the schema that each step made when it was released. A new step adds its own. */
const RELEASED = {
  '0001-workspaces-sites-keys': '5573723fc183',
  '0002-public-history-and-links': '09f0c7d10b75',
  '0003-sessions': 'bb756ceb21b1',
  '0004-minters': 'a50847aac686',
  '0005-stored-links': '308a324540c8',
  '0006-withdrawals': '22c478027655',
  '0007-key-paths': '79c0604f7366',
  '0008-markdown-of-sites': 'b35e2dc0f823',
  '0009-search-of-sites': '36ec15868ab5',
  '0010-public-repositories': '1ea475fbe511',
  '0011-pushes': '8c8d235c5728',
  '0012-key-origins-and-toolset': '370034e2df16',
  '0013-imports': '8db72cae0fc0',
  '0014-mirrors': '53679dd21bfd',
  '0015-tags-of-mirrors': '145668d94545',
  '0016-quotas': '6c6fa1fdd573',
  '0017-people-agents-audit': '4c9dd828c09a',
  '0018-borrowed-ways-in': 'fdd6893e7d83',
  '0019-hand-overs': 'a377f09972f9',
  '0020-visitors-rows': 'b20443a37953',
  '0021-change-requests': '5c3e87863ba0',
  '0022-names-of-sites': 'f3701686a55c',
  '0023-schedules': 'bf647adae0a0',
  '0024-comments': '4cac744daad1',
  '0025-pages-of-drafts': 'c227a853432e',
}

const STEPS = Object.entries(catalogMigrations)

describe('the schema of catalog.db', () => {
  const makeFolder = useTemporaryFolders()

  /** Opens the file with so many steps, and returns the statements of its schema and the names of its steps. */
  async function schemaOf(file: string, steps: number): Promise<string[]> {
    const migrations = Object.fromEntries(STEPS.slice(0, steps))
    const database = await openDatabase(file, { synchronous: 'NORMAL', migrations })
    const { sqlite } = database
    // Step 5 drops the table of secrets.
    const statements = sqlite.prepare<{ type: string; name: string; sql: string | null }>(
      "SELECT type, name, sql FROM sqlite_master WHERE tbl_name != 'secrets' ORDER BY type, name",
    )
    const names = sqlite.prepare<{ name: string }>('SELECT name FROM kysely_migration ORDER BY name')
    const schema = [
      ...statements.all([]).map(({ type, name, sql }) => `${type} ${name} ${sql}`),
      ...names.all([]).map(({ name }) => name),
    ]
    database.close()
    return schema
  }

  it('is after each step as that step was released', async () => {
    const made = await Promise.all(
      STEPS.map(async ([name], at) => [name, hashOf(await schemaOf(join(makeFolder(), 'a.db'), at + 1))]),
    )
    assert.deepEqual(Object.fromEntries(made), RELEASED)
  })

  it('is the same in a new file and in one of the first version', async () => {
    const folder = makeFolder()
    const fresh = await schemaOf(join(folder, 'new.db'), STEPS.length)
    const old = join(folder, 'old.db')
    assert.equal((await schemaOf(old, 1)).at(-1), STEPS[0]?.[0])
    assert.deepEqual(await schemaOf(old, STEPS.length), fresh)
  })
})

function hashOf(lines: readonly string[]): string {
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 12)
}
