// One serving process owns the data directory (design §7).

import { join } from 'node:path'
import { lockFile } from './file-lock.js'
import { sqliteCode } from './sqlite.js'

const LOCK_FILE = 'serve.lock.db'
/** Long enough for two simultaneous first starts to agree, short for a person who waits. */
const MAX_WAIT_MS = 200

export class DataDirInUse extends Error {
  constructor(dataDir: string) {
    super(`Another process serves ${dataDir}: stop it first, or set DATA_DIR to another folder.`)
    this.name = 'DataDirInUse'
  }
}

/** Takes the directory for this process and returns how to release it. Throws `DataDirInUse`. */
export function lockDataDir(dataDir: string): () => void {
  try {
    return lockFile(join(dataDir, LOCK_FILE), MAX_WAIT_MS)
  } catch (error) {
    if (sqliteCode(error)?.startsWith('SQLITE_BUSY')) throw new DataDirInUse(dataDir)
    throw error
  }
}
