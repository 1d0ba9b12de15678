// Which file is at the path of a database. Operators delete and replace those that are derived, also while they are open.

import { statSync } from 'node:fs'

/** Names the file at a path, whatever its content; undefined where there is none. */
export function identityOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true })
  return stat && `${stat.dev}:${stat.ino}`
}

/**
 * Names a database and its log (sqlite.org/wal.html), which both stay where they are while a connection is open. Where the answer
 * has changed since, that connection and those made from now on do not see each other's writes. Undefined without a database.
 */
export function identityWithLogOf(path: string): string | undefined {
  const identity = identityOf(path)
  return identity && `${identity} ${identityOf(`${path}-wal`) ?? 'without a log'}`
}
