// Bytes that are on the disk when the call returns. All synchronous: a writer thread has nothing else to do meanwhile.

import { execFileSync } from 'node:child_process'
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'

/** Makes a new file with these bytes, synced. Throws EEXIST when the name is taken. The name itself needs a sync of its folder. */
export function writeFileDurable(path: string, bytes: Uint8Array): void {
  const fd = openSync(path, 'wx', 0o644)
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Makes the names in a folder durable: what was created, renamed and removed there. */
export function syncDirectory(path: string): void {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Makes everything on the file system of `path` durable, whoever wrote it (syncfs(2), which Node does not offer). */
export function syncFilesystem(path: string): void {
  execFileSync('sync', ['-f', path], { stdio: 'ignore' })
}
