// The log of a process: JSON lines on standard error. If the log cannot be written, as on a full disk, the process goes on. The first
// lines wait in memory up to a limit, and are written once there is room.

import { destination, type Logger, pino } from 'pino'

/** Most bytes of waiting lines; further lines are dropped. */
const MAX_WAITING_BYTES = 1024 * 1024

export function openServiceLog(level: string, base: Record<string, unknown> | null): Logger {
  const stream = destination({ fd: 2, sync: true, maxLength: MAX_WAITING_BYTES })
  // The stream tries again with the next line. Without a listener the error would end the process.
  stream.on('error', () => undefined)
  return pino({ level, base }, stream)
}
