// The Unix sockets in the data directory.

import { join, resolve } from 'node:path'
import type { Environment } from './schema.js'

/** All systems accept names of Unix sockets of 103 bytes. The names of workers' sockets are up to three longer than the one that is measured. */
const MAX_SOCKET_PATH_BYTES = 100

/** The Unix socket over which workers forward requests to the first process. */
export function socketPathOf(dataDir: string): string {
  return join(dataDir, 'serve.sock')
}

/** The Unix socket of the process that starts programs for the first process. Its name is no longer than the other's. */
export function starterPathOf(dataDir: string): string {
  return join(dataDir, 'start.sock')
}

/** The same for a worker. */
export function starterPathOfWorker(dataDir: string, number: number): string {
  return join(dataDir, `start-${number}.sock`)
}

/** A problem, where the data directory's path leaves no room for their names. */
export function checkSocket({ DATA_DIR, WORKERS }: Environment): string[] {
  const bytes = Buffer.byteLength(socketPathOf(resolve(DATA_DIR)))
  if (WORKERS === 0 || bytes <= MAX_SOCKET_PATH_BYTES) return []
  const max = MAX_SOCKET_PATH_BYTES - (bytes - Buffer.byteLength(resolve(DATA_DIR)))
  return [`DATA_DIR must be a path of at most ${max} bytes unless WORKERS is 0: it contains a socket`]
}
