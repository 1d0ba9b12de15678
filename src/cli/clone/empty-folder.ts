// A folder that is made whole or not at all: what unfinished work has written is removed.

import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Unusable } from '../connection/unusable.js'

/** Exit codes that a shell reports for a program that a signal ended. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const

/**
 * Does the work in a folder that is empty or missing. If the work fails, or a signal ends the process, the folder is as it was. Throws
 * Unusable, and changes nothing, if there is something at that path.
 */
export async function fillFolder<T>(folder: string, fill: () => Promise<T>): Promise<T> {
  const remove = begin(folder)
  const endings = Object.entries(EXIT_CODES).map(([signal, code]) => [signal, () => process.exit(code)] as const)
  process.once('exit', remove)
  for (const [signal, end] of endings) process.once(signal, end)
  try {
    return await fill()
  } catch (error) {
    remove()
    throw error
  } finally {
    process.off('exit', remove)
    for (const [signal, end] of endings) process.off(signal, end)
  }
}

/** Makes the folder. Returns a function that removes everything in it, and the folders that were missing before. */
function begin(folder: string): () => void {
  const there = statSync(folder, { throwIfNoEntry: false })
  if (there?.isDirectory() === false) throw new Unusable(`${folder} is a file: name another folder.`)
  if (there !== undefined && readdirSync(folder).length > 0)
    throw new Unusable(`${folder} is not empty: name another folder.`)
  const made = mkdirSync(folder, { recursive: true })
  // A write that is under way can add a file while its folder is removed.
  const removal = { recursive: true, force: true, maxRetries: 10 }
  return () => {
    const paths = made === undefined ? readdirSync(folder).map((name) => join(folder, name)) : [made]
    for (const path of paths) rmSync(path, removal)
  }
}
