// Limits the processor time of one piece of work, in a process with one task at a time. So a busy machine makes no answer poorer.

/** Returns a function that tells whether this process has used that many milliseconds since. */
export function startCpuBound(maxMs: number): () => boolean {
  const began = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(began)
    return user + system > maxMs * 1000
  }
}
