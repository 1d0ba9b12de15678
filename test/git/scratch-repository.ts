// Repositories made by the real git binary for the tests of this folder; they go when the test ends.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { encodeCommit } from '../../src/git/objects/commit.js'
import { type NewObject, newObject } from '../../src/git/objects/object.js'
import { encodePack, installPack } from '../../src/git/storage/pack-writer.js'
import { createRepository } from '../../src/git/repository/repository.js'
import { SITE_HOOKS } from '../../src/repository/hooks/site-hooks.js'
import { MODE_BLOB, MODE_TREE, patchTree } from '../../src/git/objects/tree.js'
import { git } from '../support/git.js'
import { runHere } from '../programs/shell.js'

export const MAIN = 'refs/heads/main'
export const IDENTITY = { name: 'Tester', email: 'tester@example.org', time: 1_700_000_000 }
export const LOG = { committer: IDENTITY, message: 'publish: a test' }

const FIXED = {
  GIT_AUTHOR_NAME: 'Olga Operator',
  GIT_AUTHOR_EMAIL: 'olga@example.org',
  GIT_AUTHOR_DATE: '1700000000 +0100',
  GIT_COMMITTER_NAME: 'Olga Operator',
  GIT_COMMITTER_EMAIL: 'olga@example.org',
  GIT_COMMITTER_DATE: '1700000000 +0100',
  GIT_CONFIG_GLOBAL: '/dev/null',
}

/** A folder that exists for the length of `work`. */
export function withFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-git-'))
  const clean = () => rmSync(folder, { recursive: true, force: true })
  let result: T
  try {
    result = work(folder)
  } catch (error) {
    clean()
    throw error
  }
  if (result instanceof Promise) return result.finally(clean) as T
  clean()
  return result
}

/** A bare repository as `git init` makes it, with main as its branch. */
export function withBareGit<T>(work: (gitdir: string) => T): T {
  return withFolder((folder) => {
    const gitdir = join(folder, 'site.git')
    git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', gitdir)
    return work(gitdir)
  })
}

/** A repository of ours whose first commit holds `files`. */
export function withSite<T>(
  files: Record<string, string>,
  work: (gitdir: string, first: string) => T,
  hooks = SITE_HOOKS,
): T {
  return withFolder((folder) => {
    const gitdir = join(folder, 'site.git')
    const built = buildCommit(files, [], 'First')
    createRepository(gitdir, { commit: built.commit, objects: built.objects }, hooks)
    return work(gitdir, built.commit.oid)
  })
}

/** Sets many tags at once, each as a file: git would sync them one by one. */
export function writeLooseTags(gitdir: string, names: readonly string[], oid: string): void {
  for (const name of names) {
    const path = join(gitdir, 'refs/tags', name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `${oid}\n`)
  }
}

/** `git -C folder …` with `input` on its standard input; its standard output as bytes. */
export function gitWithInput(folder: string, input: string | Uint8Array, ...args: string[]): Buffer {
  return runHere({ command: ['git', '-C', folder, ...args], env: { ...process.env, ...FIXED }, input })
}

/** The oid that `git … --stdin` prints for `input`. */
export function gitOid(folder: string, input: string | Uint8Array, ...args: string[]): string {
  return gitWithInput(folder, input, ...args)
    .toString('latin1')
    .trim()
}

/** Returns git's standard error when it refuses; fails the test when it does not refuse. */
export function gitRefusal(folder: string, ...args: string[]): string {
  try {
    git(folder, ...args)
  } catch (error) {
    return (error as { stderr: string }).stderr
  }
  throw new Error(`git ${args.join(' ')} was not refused`)
}

/** A commit of flat or nested files, all its objects with it. Later files win. */
export function buildCommit(
  files: Record<string, string>,
  parents: string[],
  message: string,
): { commit: NewObject; objects: NewObject[] } {
  const objects: NewObject[] = []
  const tree = buildTree(files, objects)
  const commit = newObject(
    'commit',
    encodeCommit({ tree: tree.oid, parents, author: IDENTITY, committer: IDENTITY, message: `${message}\n` }),
  )
  objects.push(commit)
  return { commit, objects }
}

/** Stores a commit in a pack of its own, which keeps its `.keep` until `release`. */
export function storeCommit(gitdir: string, files: Record<string, string>, parents: string[], message = 'Change') {
  const built = buildCommit(files, parents, message)
  const pack = installPack(gitdir, encodePack(built.objects))
  return { oid: built.commit.oid, objects: built.objects, pack }
}

/** Resolves with exit code and output once the process ends. */
export function finished(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}

/** git in a process of its own, at the same time as the test. */
export function spawnGit(folder: string, ...args: string[]): Promise<{ code: number | null; output: string }> {
  return finished(spawn('git', ['-C', folder, ...args], { env: { ...process.env, ...FIXED } }))
}

function buildTree(files: Record<string, string>, objects: NewObject[]): NewObject {
  const folders = new Map<string, Record<string, string>>()
  const edits = []
  for (const [path, content] of Object.entries(files)) {
    const slash = path.indexOf('/')
    if (slash < 0) {
      const blob = newObject('blob', Buffer.from(content))
      objects.push(blob)
      edits.push({ name: path, mode: MODE_BLOB, oid: blob.oid })
    } else {
      const folder = path.slice(0, slash)
      folders.set(folder, { ...folders.get(folder), [path.slice(slash + 1)]: content })
    }
  }
  for (const [name, inner] of folders) edits.push({ name, mode: MODE_TREE, oid: buildTree(inner, objects).oid })
  const tree = newObject('tree', patchTree(Buffer.alloc(0), edits))
  objects.push(tree)
  return tree
}
