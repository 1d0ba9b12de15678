// A folder for one test file's databases, removed when its tests are over.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Call it in a `describe`; the function it returns makes one new empty folder for each call. */
export function useTemporaryFolders(): () => string {
  const made: string[] = []
  after(() => {
    for (const folder of made) rmSync(folder, { recursive: true, force: true })
  })
  return () => {
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-catalog-'))
    made.push(folder)
    return folder
  }
}
