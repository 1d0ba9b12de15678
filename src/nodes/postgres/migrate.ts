// Brings the tables of nodes to the form for this version of the program, step by step. Two versions run together while nodes
// are upgraded, so a release only adds (expand). A later release removes what only older versions need (contract), and raises the
// version that a program must have to write.

import type { Connections, Session } from './connections.js'
import { TABLES_VERSION, TIMELINE } from './connect.js'
import { DatabaseUnfit } from './database-errors.js'

/** A released step is never edited: add a new one. */
export interface MigrationStep {
  /** `catalog-0001-tables`: unique, and shown to operators. */
  name: string
  sql: string
  /** Set in a contract step: programs with a lower TABLES_VERSION no longer write. */
  minVersion?: number
}

/** Advisory lock: any number that no other program uses in this database. */
const LOCK = 7_203_140_915
/** A step that waits for a lock makes all others wait behind it. So it gives up, and is tried again at the next start. */
const LOCK_TIMEOUT = '3s'
const DEADLINE_MS = 60_000

const BOOKKEEPING = `
  CREATE SCHEMA IF NOT EXISTS palimpsest;
  CREATE TABLE IF NOT EXISTS palimpsest.migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now());
  CREATE TABLE IF NOT EXISTS palimpsest.nodes (id uuid PRIMARY KEY, beat_at timestamptz NOT NULL);
  CREATE TABLE IF NOT EXISTS palimpsest.timelines (
    timeline integer PRIMARY KEY, met_at timestamptz NOT NULL DEFAULT clock_timestamp());
  INSERT INTO palimpsest.timelines SELECT ${TIMELINE}, 'epoch' WHERE NOT EXISTS (SELECT FROM palimpsest.timelines);
  CREATE TABLE IF NOT EXISTS palimpsest.min_version (version integer NOT NULL);
  INSERT INTO palimpsest.min_version SELECT 0 WHERE NOT EXISTS (SELECT FROM palimpsest.min_version)`

/** Runs the missing steps in order, on one node at a time. Throws DatabaseUnfit if a newer version has taken over. */
export async function migrate(connections: Connections, steps: readonly MigrationStep[]): Promise<void> {
  await connections.use(async (session) => {
    await session.query('SELECT pg_advisory_lock($1)', [LOCK])
    await session.query(BOOKKEEPING)
    await refuseOldProgram(session)
    const { rows } = await session.query<{ name: string }>('SELECT name FROM palimpsest.migrations')
    const applied = new Set(rows.map(({ name }) => name))
    for (const step of steps) if (!applied.has(step.name)) await apply(session, step)
    await session.query('SELECT pg_advisory_unlock($1)', [LOCK])
  }, DEADLINE_MS)
}

async function apply(session: Session, { name, sql, minVersion }: MigrationStep): Promise<void> {
  await session.query('BEGIN')
  await session.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`)
  await session.query(sql)
  await session.query('INSERT INTO palimpsest.migrations (name) VALUES ($1)', [name])
  if (minVersion !== undefined)
    await session.query('UPDATE palimpsest.min_version SET version = greatest(version, $1)', [minVersion])
  await session.query('COMMIT')
}

async function refuseOldProgram(session: Session): Promise<void> {
  const { rows } = await session.query<{ version: number }>('SELECT version FROM palimpsest.min_version')
  const least = rows[0]?.version ?? 0
  if (least > TABLES_VERSION)
    throw new DatabaseUnfit(
      `The database belongs to a newer version of Palimpsest: its tables need version ${least}, and this program has ${TABLES_VERSION}. Upgrade this node.`,
    )
}
