// Measures the load of the machine's processors: a node that waits for its turn on them is not delayed by the program.

import { readFileSync } from 'node:fs'

const PACE_MS = 100
/** Fields of /proc/stat, in its order: user nice system idle iowait irq softirq steal. */
const [IDLE, IOWAIT] = [3, 4]

interface Sample {
  at: number
  busy: number
  all: number
  /** Microseconds in which a program waited for a processor (Linux counts them as pressure). */
  waited: number
}

export class ProcessorProbe {
  readonly #samples: Sample[] = [sample()]
  readonly #timer = setInterval(() => this.#samples.push(sample()), PACE_MS)

  stop(): void {
    clearInterval(this.#timer)
    this.#samples.push(sample())
  }

  /** Describes the load between the samples around two moments of this process's clock. */
  tell({ from, to }: { from: number; to: number }): string {
    const first = this.#samples.findLast(({ at }) => at <= from) ?? this.#samples[0]
    const last = this.#samples.find(({ at }) => at >= to) ?? this.#samples.at(-1)
    if (first === undefined || last === undefined || last.at <= first.at) return 'processors not seen'
    const busy = (100 * (last.busy - first.busy)) / (last.all - first.all)
    const waited = (last.waited - first.waited) / (last.at - first.at) / 10
    return `processors ${busy.toFixed(0)} % busy, waited for ${waited.toFixed(0)} % of the time`
  }
}

function sample(): Sample {
  const at = performance.now()
  const counts = (/^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? '').split(' ').map(Number)
  const all = counts.reduce((sum, count) => sum + count, 0)
  const busy = all - (counts[IDLE] ?? 0) - (counts[IOWAIT] ?? 0)
  return { at, busy, all, waited: readPressure() }
}

function readPressure(): number {
  try {
    return Number(/some .*total=(\d+)/.exec(readFileSync('/proc/pressure/cpu', 'utf8'))?.[1])
  } catch {
    return Number.NaN
  }
}
