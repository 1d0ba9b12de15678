// Logs each new trouble of a site in the process that found it.

import type { Logger } from 'pino'
import type { TroublesOptions } from '../repository/health/troubles.js'

export function logTroubles(logger: Pick<Logger, 'error'>): NonNullable<TroublesOptions['onNew']> {
  return ({ slug, kind, subject, what }) => logger.error({ site: slug, kind, subject }, `trouble: ${what}`)
}
