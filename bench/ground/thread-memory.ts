// What each thread of a running service has in memory, and what of the process is none of theirs.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Bytes. `external` is outside the heap and known to it: Buffers, above all. */
export interface ThreadMemory {
  heapUsed: number
  heapTotal: number
  external: number
}

export interface ProcessMemory {
  resident: number
  /** By the name of the thread's program; threads of one program together. */
  threads: Map<string, ThreadMemory>
  /** Resident, and not in a heap or external: the program itself, SQLite's pages, zlib's, what malloc keeps. */
  rest: number
}

export class ThreadProbe {
  readonly #folder = mkdtempSync(join(tmpdir(), 'palimpsest-memory-'))

  /** What the service is to be started with. */
  get env(): Record<string, string> {
    const probe = new URL('./memory-probe.js', import.meta.url).href
    return { MEMORY_PROBE_DIR: this.#folder, NODE_OPTIONS: `--import=${probe}` }
  }

  /** As each thread told it within the last second. */
  read(pid: number): ProcessMemory {
    const resident = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
    const threads = new Map<string, ThreadMemory>()
    let known = 0
    for (const file of readdirSync(this.#folder)) {
      const told = JSON.parse(readFileSync(join(this.#folder, file), 'utf8')) as ThreadMemory & { thread: string }
      const sum = threads.get(told.thread) ?? { heapUsed: 0, heapTotal: 0, external: 0 }
      threads.set(told.thread, {
        heapUsed: sum.heapUsed + told.heapUsed,
        heapTotal: sum.heapTotal + told.heapTotal,
        external: sum.external + told.external,
      })
      known += told.heapTotal + told.external
    }
    return { resident, threads, rest: resident - known }
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
