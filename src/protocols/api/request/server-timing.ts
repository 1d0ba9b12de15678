// `Server-Timing` (W3C Server Timing): the waits of a request, in milliseconds. The work itself is not named.

import { countWaits, type Waits } from '../../../admission/waits.js'
import type { ApiMiddleware } from './request-state.js'

/** Shorter waits are not named: every promise takes some microseconds. */
const MIN_MS = 0.1

/** Wraps all middleware that may wait. Waits while the body is being sent are left out. */
export function tellWaits(): ApiMiddleware {
  return async (ctx, next) => {
    const waits: Waits = {}
    await countWaits(waits, next)
    const field = formatWaits(waits)
    if (field !== '') ctx.set('Server-Timing', field)
  }
}

function formatWaits(waits: Waits): string {
  return Object.entries(waits)
    .filter(([, milliseconds]) => milliseconds >= MIN_MS)
    .map(([name, milliseconds]) => `${name};dur=${milliseconds.toFixed(1)}`)
    .join(', ')
}
