// Removes temporary files and folders after use. The work that they were for is decided by then: one that stays changes no answer.

import { rm } from 'node:fs/promises'

/** Paths that could not be removed. */
const owed = new Set<string>()

/** Removes files and folders, with all in them. Never rejects: what cannot be removed now goes with the next ones, or at the next start. */
export async function dropTemporary(...paths: readonly string[]): Promise<void> {
  for (const path of paths) await tryToRemove(path)
  for (const path of [...owed].filter((one) => !paths.includes(one))) if (!(await tryToRemove(path))) break
}

async function tryToRemove(path: string): Promise<boolean> {
  try {
    await rm(path, { recursive: true, force: true })
    owed.delete(path)
    return true
  } catch {
    owed.add(path)
    return false
  }
}
