// Provides a temporary folder for the duration of a bench.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from '../../test/servers/at-end.js'

export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-bench-'))
  // A git process that a service started may outlive the service briefly.
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  const forget = atEnd(remove)
  try {
    return await work(folder)
  } finally {
    remove()
    forget()
  }
}
