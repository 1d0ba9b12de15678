// A folder for the length of a bench.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-bench-'))
  try {
    return await work(folder)
  } finally {
    // A program of git that a service started may outlive it by a moment.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}
