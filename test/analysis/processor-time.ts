// Bounds of processor time, which a busy machine does not break as it breaks bounds of time.

/** The milliseconds of processor time that this process uses for work. What it waits for, and processes that it starts, do not count. */
export function processorMs(work: () => void): number {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}
