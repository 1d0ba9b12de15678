// Reads main of a repository by two readers, and puts what they find into words.

import { compareMain } from '../../repository/second-reader/compare-main.js'
import type { Progress } from '../terminal/progress.js'

/** Returns the differences, a line each. Says on the way what was too large to be read twice. */
export async function readTwice(slug: string, gitdir: string, progress: Progress): Promise<string[]> {
  const onRead = (objects: number) => progress.show(`${slug}: ${objects} objects read twice`)
  try {
    const { differences, left } = await compareMain(gitdir, onRead)
    for (const what of left) console.error(`${slug}: read only once: ${what}`)
    return differences.map(({ path, oid, what }) => `${path} (${oid}): ${what}`)
  } catch (error) {
    return [`main cannot be read: ${error instanceof Error ? error.message : String(error)}`]
  }
}
