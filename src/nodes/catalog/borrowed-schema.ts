// The step that binds what owners lend to their workspace in PostgreSQL: that of `catalog.db` with the same words.

import { bindOldWays, type Dialect, LENT_TABLES, nameOldMakers } from '../../catalog/database/borrowed-ways.js'

export const BORROWED_KEYS = { closed_sessions: ['session_id', 'workspace_id'] } as const

const POSTGRES: Dialect = {
  field: (...path) => `(entry::text::jsonb #>> '{${path.join(',')}}')`,
  join: (column) => `string_agg(DISTINCT ${column}, ' ')`,
}

/** Tables are altered before rows are changed: a table with changes that wait for their triggers cannot be altered. */
export const BORROWED_TABLES = [
  'SET LOCAL search_path = catalog',
  ...LENT_TABLES.map((table) => `ALTER TABLE ${table} ADD COLUMN bound_to words, ADD COLUMN lent_by words`),
  'ALTER TABLE links ADD COLUMN made_by words',
  'CREATE TABLE closed_sessions (session_id words, workspace_id words, PRIMARY KEY (session_id, workspace_id))',
  '',
].join(';\n')

export const OLD_WAYS = ['SET LOCAL search_path = catalog', ...bindOldWays(POSTGRES), ...nameOldMakers(POSTGRES)].join(
  ';\n',
)
