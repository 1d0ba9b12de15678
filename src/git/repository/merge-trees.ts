// Merges trees as git merges them (git-merge-tree), renames included, and leaves no trace in the repository.

import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { GitFailed, runGit } from '../command.js'
import { objectsViewOf } from '../disk/objects-view.js'
import { encodeCommit } from '../objects/commit.js'
import { ObjectMissing } from '../objects/errors.js'
import { type NewObject, newObject } from '../objects/object.js'
import type { Oid } from '../objects/oid.js'
import { readLooseObject } from '../storage/loose.js'

const MAX_MERGE_MS = 30_000
const NOBODY = { name: 'merge', email: 'merge', time: 0 }

/** Oids of trees. */
export interface Merge {
  base: Oid
  ours: Oid
  theirs: Oid
}

export interface MergedTrees {
  tree: Oid
  /** What the merge made. */
  objects: NewObject[]
  /** None where the merge is clean. The tree then holds files with conflict markers. */
  conflicts: MergeConflict[]
}

export interface MergeConflict {
  /** The file, and others that take part in the conflict. */
  paths: string[]
  /** git's word for it, such as `CONFLICT (modify/delete)`. */
  type: string
  message: string
}

/** `unstored` are objects that the repository does not hold. Rejects with GitFailed where git cannot merge, or takes longer than 30 s. */
export async function mergeTrees(
  gitdir: string,
  { base, ours, theirs }: Merge,
  unstored: readonly NewObject[] = [],
): Promise<MergedTrees> {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-merge-'))
  try {
    const newObjects = join(folder, 'objects')
    await mkdir(newObjects)
    for (const object of unstored) await writeLoose(newObjects, object)
    // git 2.39 takes no merge base: it finds the one that two commits made for it have.
    const parent = await writeCommit(newObjects, base, [], 'base')
    const left = await writeCommit(newObjects, ours, [parent], 'ours')
    const right = await writeCommit(newObjects, theirs, [parent], 'theirs')
    const merged = parse(
      await runMerge(gitdir, ['merge-tree', '--write-tree', '-z', '--name-only', left, right], newObjects),
    )
    const known = new Set(unstored.map(({ oid }) => oid))
    return { ...merged, objects: (await readObjects(folder)).filter(({ oid }) => !known.has(oid)) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function runMerge(gitdir: string, args: string[], newObjects: string): Promise<string> {
  try {
    const { view, objects } = objectsViewOf(gitdir)
    return (await runGit(view, args, { objects, newObjects, maxMs: MAX_MERGE_MS })).toString()
  } catch (error) {
    // Exit code 1 says that there are conflicts.
    if (error instanceof GitFailed && error.exitCode === 1) return error.stdout.toString()
    throw error
  }
}

/** git-merge-tree, OUTPUT, with -z: the tree, the names in conflict, an empty one, and the messages. */
function parse(output: string): { tree: Oid; conflicts: MergeConflict[] } {
  const [tree = '', ...fields] = output.split('\0')
  const messages = fields.slice(fields.indexOf('') + 1)
  const conflicts: MergeConflict[] = []
  while (messages.length > 1) {
    const paths = messages.splice(0, Number(messages.shift()))
    const [type = '', message = ''] = messages.splice(0, 2)
    if (type.startsWith('CONFLICT')) conflicts.push({ paths, type, message: message.trim() })
  }
  return { tree, conflicts }
}

async function writeCommit(objects: string, tree: Oid, parents: Oid[], message: string): Promise<Oid> {
  const bytes = encodeCommit({ tree, parents, author: NOBODY, committer: NOBODY, message })
  const commit = newObject('commit', bytes)
  await writeLoose(objects, commit)
  return commit.oid
}

async function writeLoose(objects: string, { oid, type, content }: NewObject): Promise<void> {
  await mkdir(join(objects, oid.slice(0, 2)), { recursive: true })
  const loose = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content])
  await writeFile(join(objects, oid.slice(0, 2), oid.slice(2)), deflateSync(loose))
}

/** The trees and blobs among the loose objects of a folder. */
async function readObjects(folder: string): Promise<NewObject[]> {
  const files = await readdir(join(folder, 'objects'), { recursive: true })
  const oids = files.map((file) => file.replace('/', '')).filter((name) => /^[0-9a-f]{40}$/.test(name))
  return oids.flatMap((oid) => {
    const object = readLooseObject(folder, oid)
    if (object === undefined) throw new ObjectMissing(oid)
    return object.type === 'commit' ? [] : [{ oid, ...object }]
  })
}
