// The refs of tags in a repository, loose and packed, with their oids.

import { createHash } from 'node:crypto'
import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Oid } from '../objects/oid.js'
import { compareBytes } from './byte-order.js'
import { type PackedRef, readPackedRefs } from './packed-refs.js'
import { readLooseRef } from './ref.js'

const TAGS = 'refs/tags'

/** Reads the oid of each tag, by the tag's full name. Throws RepositoryInvalid for a tag that holds no oid. */
export function readTags(gitdir: string): Map<string, Oid> {
  const loose = [...looseTagNames(gitdir).values()].flat().map((name) => [name, readLooseRef(gitdir, name)] as const)
  const oids = new Map([...readPackedTags(gitdir)].map(([name, { oid }]) => [name, oid]))
  for (const [name, oid] of loose) if (oid !== undefined) oids.set(name, oid)
  return oids
}

/** Returns a mark that is equal for equal sets of tags in any order, and differs for others; empty without tags. */
export function markOfTags(tags: ReadonlyMap<string, Oid>): string {
  if (tags.size === 0) return ''
  const lines = [...tags].map(([name, oid]) => `${oid} ${name}\n`).toSorted(compareBytes)
  return createHash('sha256').update(lines.join('')).digest('hex')
}

/** Reads the packed tags, by full name. */
export function readPackedTags(gitdir: string): Map<string, PackedRef> {
  return readPackedRefs(gitdir, `${TAGS}/`)
}

export function countLooseTags(gitdir: string): number {
  return [...looseTagNames(gitdir).values()].flat().length
}

/** Lists full names of the loose tags, by the folder that holds them. */
export function looseTagNames(
  gitdir: string,
  folder = TAGS,
  found = new Map<string, string[]>(),
): Map<string, string[]> {
  const names: string[] = []
  found.set(folder, names)
  for (const entry of entriesOf(join(gitdir, folder))) {
    const name = `${folder}/${entry.name}`
    if (entry.isDirectory()) looseTagNames(gitdir, name, found)
    else if (!name.endsWith('.lock')) names.push(name)
  }
  return found
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
