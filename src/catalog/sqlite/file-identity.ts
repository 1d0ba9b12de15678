// Tells which file is at a path. Operators delete and replace derived databases, also while they are open.

import { statSync } from 'node:fs'

/** Names the file at a path, independent of its content; undefined if there is none that this process can reach. */
export function identityOf(path: string): string | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false, bigint: true })
    return stat && `${stat.dev}:${stat.ino}`
  } catch {
    return undefined
  }
}
