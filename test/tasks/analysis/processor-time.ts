// Bounds of processor time, which a busy machine does not break as it breaks bounds of time.

import { readFileSync } from 'node:fs'

/** The milliseconds of processor time that this process uses for work. What it waits for, and processes that it starts, do not count. */
export function processorMs(work: () => void): number {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

/** The milliseconds that the main thread of this process has run so far; off Linux, which does not count them, the time. */
export function mainThreadMs(): number {
  if (process.platform !== 'linux') return performance.now()
  const [nanoseconds] = readFileSync('/proc/self/schedstat', 'utf8').split(' ')
  return Number(nanoseconds) / 1e6
}
