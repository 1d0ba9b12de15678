// Which file is at a path. Operators delete and replace databases that are derived, also while they are open.

import { statSync } from 'node:fs'

/** Names the file at a path, whatever its content; undefined where there is none. */
export function identityOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true })
  return stat && `${stat.dev}:${stat.ino}`
}
