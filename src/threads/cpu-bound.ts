// Limits the CPU time of one piece of work, in a process with one task at a time. Wall-clock time would make results depend on the load of
// the machine.

/** Returns a function that says whether this process has used that many milliseconds of CPU time since. */
export function startCpuBound(maxMs: number): () => boolean {
  const began = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(began)
    return user + system > maxMs * 1000
  }
}
