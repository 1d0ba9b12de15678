// Clears away what a process would leave behind: programs that it started and folders that it made.

const acts = new Set<() => void>()

/** Has `act` called when this process ends in any way that it notices; the last one is called first. Returns what takes it back. */
export function atEnd(act: () => void): () => void {
  if (acts.size === 0) process.once('exit', endAll)
  acts.add(act)
  return () => {
    acts.delete(act)
    if (acts.size === 0) process.off('exit', endAll)
  }
}

/** Lets a program end by an exit at these signals: by default, Node ends without calling the acts. */
export function endBySignals(): void {
  process.once('SIGINT', () => process.exit(130))
  process.once('SIGTERM', () => process.exit(143))
}

function endAll(): void {
  for (const act of [...acts].toReversed())
    try {
      act()
    } catch (error) {
      process.stderr.write(`${String(error)}\n`)
    }
}
