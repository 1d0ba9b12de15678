import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { CATALOG_STEPS } from '../../../src/nodes/catalog/node-schema.js'
import { Connections } from '../../../src/nodes/postgres/connections.js'
import { parseDatabaseUrl } from '../../../src/nodes/postgres/database-url.js'
import { migrate } from '../../../src/nodes/postgres/migrate.js'
import { PostgresServer } from '../../servers/postgres-server.js'

/** The beginning of the SHA-256 of the schema that each step made when it was released. A new step adds its own. */
const RELEASED = {
  'catalog-0001-tables-and-changes': '53052fab6785',
  'catalog-0002-quotas': '258867fe6190',
  'catalog-0003-people': '29e3c98b1379',
  'catalog-0018-borrowed-ways-in': '2b623341096c',
  'catalog-0019-hand-overs': 'abb9cbc2883e',
  'catalog-0020-visitors-rows': '2967a2ec855b',
  'catalog-0021-change-requests': 'b13a5d0a5bba',
  'catalog-0022-names-of-sites': 'fe8dc0bc35d0',
  'catalog-0023-schedules': 'b11b653de191',
  'catalog-0024-comments': '88eb3e68529e',
  'catalog-0025-pages-of-drafts': 'f8a84c194c54',
}

/** Describe the schema `catalog`, in words that all versions of PostgreSQL use. */
const SCHEMA = [
  `SELECT table_name, ordinal_position, column_name, data_type, domain_name, is_nullable, column_default, identity_generation
   FROM information_schema.columns WHERE table_schema = 'catalog' ORDER BY table_name, ordinal_position`,
  `SELECT indexdef FROM pg_indexes WHERE schemaname = 'catalog' ORDER BY indexname`,
  `SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
   WHERE connamespace = 'catalog'::regnamespace AND contype IN ('c', 'f', 'p', 'u') ORDER BY conname, 1`,
  `SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1`,
  `SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'catalog'::regnamespace ORDER BY 1`,
  `SELECT typname, typbasetype::regtype::text, typcollation::regcollation::text FROM pg_type
   WHERE typtype = 'd' AND typnamespace = 'catalog'::regnamespace`,
  'SELECT name FROM palimpsest.migrations ORDER BY name',
]

describe('the schema of the catalog in PostgreSQL', () => {
  let server: PostgresServer

  before(async () => {
    server = await PostgresServer.start()
  })
  after(() => server?.remove())

  /** Returns a database, and what takes it to so many steps and describes its schema. */
  async function makeDatabase() {
    const connections = new Connections(parseDatabaseUrl(await server.createDatabase()), 1)
    async function schemaOf(steps: number): Promise<string[]> {
      await migrate(connections, CATALOG_STEPS.slice(0, steps))
      const found = await connections.use(async (session) => {
        const rows: object[] = []
        for (const query of SCHEMA) rows.push(...(await session.query<object>(query)).rows)
        return rows
      })
      return found.map((row) => JSON.stringify(row))
    }
    return { schemaOf, close: () => connections.close() }
  }

  it('is after each step as that step was released', async () => {
    const { schemaOf, close } = await makeDatabase()
    const made: Record<string, string> = {}
    for (const [at, { name }] of CATALOG_STEPS.entries()) made[name] = hashOf(await schemaOf(at + 1))
    await close()
    assert.deepEqual(made, RELEASED)
  })

  it('is the same in a new database and in one of the first version', async () => {
    const [fresh, old] = [await makeDatabase(), await makeDatabase()]
    await old.schemaOf(1)
    assert.deepEqual(await old.schemaOf(CATALOG_STEPS.length), await fresh.schemaOf(CATALOG_STEPS.length))
    for (const { close } of [fresh, old]) await close()
  })
})

function hashOf(lines: readonly string[]): string {
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 12)
}
