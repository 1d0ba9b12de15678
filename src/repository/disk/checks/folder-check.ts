// Checks that the service's user can write in the repository's folders.

import { accessSync, constants, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { REMEDY, type Trouble } from '../../protocol/trouble.js'

const FOLDERS = ['.', 'objects', 'objects/pack', 'refs', 'refs/heads', 'hooks', 'palimpsest']
const WRITE_AND_SEARCH = 0o3
const ROOT = 0

/** Skips missing folders: the check of the form names them, or the service makes them again. */
export function checkFolders(gitdir: string): Trouble[] {
  const user = statSync(dirname(gitdir))
  return FOLDERS.flatMap((name): Trouble[] => {
    const path = join(gitdir, name)
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return []
    const trouble = { kind: 'repository', subject: `folder ${name}` } as const
    if (!stat.isDirectory()) return [{ ...trouble, what: `${name} is not a folder`, remedy: REMEDY.form }]
    if (isWritable(path, stat, user)) return []
    const what = `the service's user cannot write in the folder ${name === '.' ? 'of the repository' : name}`
    return [{ ...trouble, what, remedy: REMEDY.access }]
  })
}

/** Root may write anywhere, so for root this tests the owner of the data directory, as whom the service runs. */
function isWritable(path: string, { uid, gid, mode }: Stats, user: Stats): boolean {
  if (process.getuid?.() !== ROOT) return canAccess(path)
  if (user.uid === ROOT) return true
  const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0
  return ((mode >> shift) & WRITE_AND_SEARCH) === WRITE_AND_SEARCH
}

function canAccess(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}
