// Which file is at a path. Operators delete and replace databases that are derived, also while they are open.

import { statSync } from 'node:fs'

/** Names the file at a path, whatever its content; undefined where there is none that this process can reach. */
export function identityOf(path: string): string | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false, bigint: true })
    return stat && `${stat.dev}:${stat.ino}`
  } catch {
    return undefined
  }
}
