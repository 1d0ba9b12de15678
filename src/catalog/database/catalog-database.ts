// The database of the catalog as its classes use it, with the time.

import type { Selectable } from 'kysely'
import { type Clock, toSeconds, toTimestamp } from '../../model/clock.js'
import type { OpenDatabase } from './database.js'
import type { CatalogTables } from './tables.js'

export interface CatalogDatabase extends OpenDatabase<CatalogTables> {
  /** Returns the time in seconds since the epoch. */
  readonly seconds: () => number
  /** Returns the time as columns hold it, or the time so many seconds ago. */
  readonly now: (secondsAgo?: number) => string
}

/**
 * A row of the table, as a query answers it. Copying one by `...` costs about as much time as reading it. So code that runs at every
 * request names the fields.
 */
export type Row<Table extends keyof CatalogTables> = Selectable<CatalogTables[Table]>

export function withClock(database: OpenDatabase<CatalogTables>, clock: Clock): CatalogDatabase {
  const seconds = () => toSeconds(clock())
  return { ...database, seconds, now: (secondsAgo = 0) => toTimestamp(seconds() - secondsAgo) }
}
