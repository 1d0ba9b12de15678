// Reads the memory of each thread of a running service, and the process's memory that belongs to no thread.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** In bytes. `external` is outside the heap but known to it: mainly Buffers. */
export interface ThreadMemory {
  heapUsed: number
  heapTotal: number
  external: number
}

export interface ProcessMemory {
  resident: number
  /** By the name of the thread's program; the threads of one program are summed. */
  threads: Map<string, ThreadMemory>
  /** Resident memory that is neither heap nor external: the program itself, memory of SQLite and zlib, and unused malloc memory. */
  rest: number
}

export class ThreadProbe {
  readonly #folder = mkdtempSync(join(tmpdir(), 'palimpsest-memory-'))

  /** Environment variables to start the service with. */
  get env(): Record<string, string> {
    const probe = new URL('./memory-probe.js', import.meta.url).href
    return { MEMORY_PROBE_DIR: this.#folder, NODE_OPTIONS: `--import=${probe}` }
  }

  /** Reads the memory as each thread reported it within the last second. */
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
