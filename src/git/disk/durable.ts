// Writes that are on disk when the call returns. Most are synchronous: a writer thread has nothing else to do.

import { execFile, execFileSync } from 'node:child_process'
import { closeSync, existsSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { makeFolders } from './make-folders.js'

/**
 * Creates new files with these bytes, synced; leaves none behind if it fails. Throws EEXIST if a name is taken.
 * All are written before the first sync, so that the disk takes them together. The names need a sync of their folder.
 */
export function writeFilesDurable(files: readonly (readonly [path: string, bytes: Uint8Array])[], mode = 0o644): void {
  const made: { path: string; fd: number }[] = []
  try {
    for (const [path, bytes] of files) {
      const fd = openSync(path, 'wx', mode)
      made.push({ path, fd })
      // With a position (pwrite): only files take that call, so that the fault programs can single it out.
      for (let written = 0; written < bytes.length; ) {
        written += writeSync(fd, bytes, written, bytes.length - written, written)
      }
    }
    for (const { fd } of made) fsyncSync(fd)
  } catch (error) {
    for (const { path } of made) rmSync(path, { force: true })
    throw error
  } finally {
    for (const { fd } of made) closeSync(fd)
  }
}

/** Creates one file as `writeFilesDurable` does. */
export function writeFileDurable(path: string, bytes: Uint8Array, mode = 0o644): void {
  writeFilesDurable([[path, bytes]], mode)
}

/** Makes the names in a folder durable: all that was created, renamed and removed there. */
export function syncDirectory(path: string): void {
  syncFile(path)
}

/** Makes the bytes of a file durable. */
export function syncFile(path: string): void {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Creates a folder and its missing parents, each durable in its own parent. */
export function makeFolderDurable(path: string): void {
  if (existsSync(path)) return
  makeFolderDurable(dirname(path))
  makeFolders(path)
  syncDirectory(dirname(path))
}

/** Makes everything on the file system of `path` durable, also writes of other programs (syncfs(2), which Node does not offer). */
export function syncFilesystem(path: string): void {
  try {
    execFileSync('sync', ['-f', path], { stdio: 'ignore' })
  } catch (cause) {
    throw syncFailed(path, cause)
  }
}

/** Does the same without blocking the calling thread. */
export async function syncFilesystemAside(path: string): Promise<void> {
  await promisify(execFile)('sync', ['-f', path]).catch((cause: unknown) => {
    throw syncFailed(path, cause)
  })
}

/** Returns the error of a command that failed or did not start: for the caller the disk refused. */
function syncFailed(path: string, cause: unknown): Error {
  return Object.assign(new Error(`sync -f ${path} failed`, { cause }), { code: 'EIO', syscall: 'syncfs' })
}
