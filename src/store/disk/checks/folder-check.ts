// Whether the service's user can write in the folders of a repository that it writes in.

import { accessSync, constants, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { REMEDY, type Trouble } from '../../protocol/trouble.js'

const FOLDERS = ['.', 'objects', 'objects/pack', 'refs', 'refs/heads', 'hooks', 'palimpsest']
const WRITE_AND_SEARCH = 0o3
const ROOT = 0

/** A folder that is missing is named by the check of the form, or made again by the service. */
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

/** Root may write anywhere: for root the answer is that for the owner of the data directory, whom the service runs as. */
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
