// Damages files as failing disks and other programs do.

import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, existsSync, openSync, readdirSync, readSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { git } from './git.js'

/**
 * Overwrites a file from another process. A process that opens and closes the file of a database gives up the locks that SQLite holds on it
 * for each of its own connections (sqlite.org/howtocorrupt.html §2.2).
 */
export function overwriteElsewhere(path: string, input: string | Buffer): void {
  execFileSync('tee', [path], { input, stdio: ['pipe', 'ignore', 'inherit'] })
}

/**
 * Flips a bit in the middle of the object's first copy, loose or packed: lengths, times and checksums stay the same. The returned
 * function flips it back.
 */
export function flipByteOf(gitdir: string, oid: string): () => void {
  const loose = join(gitdir, 'objects', oid.slice(0, 2), oid.slice(2))
  if (existsSync(loose)) return flip(loose, Math.floor(statSync(loose).size / 2))
  const folder = join(gitdir, 'objects', 'pack')
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.idx'))) {
    const listed = git(gitdir, 'verify-pack', '-v', join(folder, file))
    // <oid> <type> <size> <size in pack> <offset>
    const [found, length, offset] = new RegExp(`^${oid} +\\w+ +\\d+ +(\\d+) +(\\d+)`, 'm').exec(listed) ?? []
    const path = join(folder, file.replace(/idx$/, 'pack'))
    if (found !== undefined) return flip(path, Number(offset) + Math.floor(Number(length) / 2))
  }
  throw new Error(`${gitdir} has no object ${oid}`)
}

function flip(path: string, at: number): () => void {
  chmodSync(path, 0o644)
  const file = openSync(path, 'r+')
  const byte = Buffer.alloc(1)
  readSync(file, byte, 0, 1, at)
  writeSync(file, Buffer.of((byte[0] ?? 0) ^ 0x10), 0, 1, at)
  closeSync(file)
  return () => void flip(path, at)
}
