// A bound on the processor's time of one piece of work, in a process that does one task after the other: a busy machine makes no answer poorer.

/** Answers whether this process has used so many milliseconds since. */
export function startCpuBound(maxMs: number): () => boolean {
  const began = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(began)
    return user + system > maxMs * 1000
  }
}
