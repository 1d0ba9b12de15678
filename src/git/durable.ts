// Bytes that are on the disk when the call returns. All synchronous: a writer thread has nothing else to do meanwhile.

import { execFileSync } from 'node:child_process'
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a new file with these bytes, synced; leaves none behind when it fails. Throws EEXIST when the name is taken.
 * The name itself needs a sync of its folder.
 */
export function writeFileDurable(path: string, bytes: Uint8Array, mode = 0o644): void {
  const fd = openSync(path, 'wx', mode)
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written)
    fsyncSync(fd)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
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

/** Makes a folder and those above it that are missing, each durable in its own parent. */
export function makeFolderDurable(path: string): void {
  if (existsSync(path)) return
  makeFolderDurable(dirname(path))
  // Somebody else may have made it meanwhile.
  mkdirSync(path, { recursive: true })
  syncDirectory(dirname(path))
}

/** Makes everything on the file system of `path` durable, whoever wrote it (syncfs(2), which Node does not offer). */
export function syncFilesystem(path: string): void {
  execFileSync('sync', ['-f', path], { stdio: 'ignore' })
}
