// Reads a repository by isomorphic-git, which shares no code with `src/git`. It is loaded only here, when a command asks for it.

import { lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import type { Oid } from '../../git/objects/oid.js'
import type { ObjectType } from '../../git/objects/object.js'

export interface SecondReader {
  /** Returns the commit at a ref. */
  resolve(ref: string): Promise<Oid>
  read(oid: Oid): Promise<{ type: ObjectType; content: Uint8Array }>
  readCommit(oid: Oid): Promise<{ tree: Oid; parents: readonly Oid[] }>
  /** Lists the entries of a folder; modes are six octal digits. */
  readTree(oid: Oid): Promise<readonly { mode: string; name: string; oid: Oid }[]>
}

/** isomorphic-git gets no way to change a repository that it reads. */
const refuse = (): Promise<never> => Promise.reject(new Error('the second reader writes nothing'))
/** Takes a quarter of the time of Node's own promises: each read of an object looks for several files. */
const READ_ONLY = {
  promises: {
    readFile: async (...args: Parameters<typeof readFileSync>) => readFileSync(...args),
    readdir: async (path: string) => readdirSync(path),
    readlink: async (path: string) => readlinkSync(path),
    lstat: async (path: string) => lstatSync(path),
    stat: async (path: string) => statSync(path),
    writeFile: refuse,
    mkdir: refuse,
    rmdir: refuse,
    unlink: refuse,
    symlink: refuse,
  },
}

/**
 * Opens a bare repository. Every pack that is read stays in memory until the reader is dropped. The methods block the thread, and reject
 * with isomorphic-git's errors, and with those of the system unchanged.
 */
export async function openSecondReader(gitdir: string): Promise<SecondReader> {
  const git = await import('isomorphic-git')
  const repository = { fs: READ_ONLY, gitdir, cache: {} }
  return {
    resolve: (ref) => git.resolveRef({ ...repository, ref }),
    async read(oid) {
      const { type, object } = await git.readObject({ ...repository, oid, format: 'content' })
      return { type: type as ObjectType, content: object as Uint8Array }
    },
    async readCommit(oid) {
      const { commit } = await git.readCommit({ ...repository, oid })
      return { tree: commit.tree, parents: commit.parent }
    },
    async readTree(oid) {
      const { tree } = await git.readTree({ ...repository, oid })
      return tree.map((entry) => ({ mode: entry.mode.padStart(6, '0'), name: entry.path, oid: entry.oid }))
    },
  }
}
