// The tags of a repository, loose and packed. They are read again when a folder or file that holds them has changed.

import { createHash } from 'node:crypto'
import { type Dirent, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { ObjectMissing } from '../objects/errors.js'
import { parseTag } from '../objects/tag.js'
import type { ObjectReader } from '../storage/object-reader.js'
import type { Oid } from '../objects/oid.js'
import { PACKED_REFS, type PackedRef, readPackedRefs } from './packed-refs.js'
import { readLooseRef } from './ref.js'

const TAGS = 'refs/tags'
/** What changed within this time may change again and keep its modification time. */
const SETTLED_MS = 100
/** A tag of a tag of a tag: git follows any number of them. */
const MAX_PEELS = 8
/** Of the tags of all repositories that are kept in memory. */
const KEPT_BYTES = 16 * 1024 * 1024
/** Of a tag in memory, beside its name. */
const TAG_BYTES = 200

export interface Tag {
  /** Full: `refs/tags/v1`. */
  name: string
  oid: Oid
  /** What an annotated tag names; undefined for a tag that is no object. */
  peeled: Oid | undefined
}

interface Known {
  /** By file or folder, when it was changed; undefined where one may have changed since. */
  marks: ReadonlyMap<string, string> | undefined
  tags: readonly Tag[]
}

export class Tags {
  static readonly #kept = new LRUCache<Tags, Known>({ maxSize: KEPT_BYTES, sizeCalculation: bytesOf })
  readonly #gitdir: string
  readonly #objects: ObjectReader

  constructor(gitdir: string, objects: ObjectReader) {
    this.#gitdir = gitdir
    this.#objects = objects
  }

  /** By name, as git orders them. A tag whose object is missing or damaged is left out. */
  list(): readonly Tag[] {
    const known = Tags.#kept.get(this)
    if (known !== undefined && this.#isUnchanged(known)) return known.tags
    const found = this.#read(known?.tags ?? [])
    Tags.#kept.set(this, found)
    return found.tags
  }

  #read(earlier: readonly Tag[]): Known {
    const before = Date.now()
    const { loose, packed, folders } = findTags(this.#gitdir, (name) =>
      unlessDamaged(() => readLooseRef(this.#gitdir, name, 0)),
    )
    const places = [PACKED_REFS, ...folders]
    const marks = new Map(places.map((place) => [place, this.#markOf(place)?.text ?? '']))
    const isSettled = places.every((place) => before - (this.#markOf(place)?.changedAt ?? 0) > SETTLED_MS)
    const known = new Map(earlier.map((tag) => [tag.oid, tag]))
    const tags: Tag[] = []
    for (const name of sortByBytes(new Set([...loose.keys(), ...packed.keys()]))) {
      const oid = loose.get(name)
      const tag = this.#toTag(name, oid === undefined ? packed.get(name) : { oid, peeled: null }, known)
      if (tag === undefined) continue
      known.set(tag.oid, tag)
      tags.push(tag)
    }
    return { marks: isSettled ? marks : undefined, tags }
  }

  #isUnchanged({ marks }: Known): boolean {
    if (marks === undefined) return false
    for (const [place, mark] of marks) if ((this.#markOf(place)?.text ?? '') !== mark) return false
    return true
  }

  #markOf(place: string): { text: string; changedAt: number } | undefined {
    const stat = statSync(join(this.#gitdir, place), { throwIfNoEntry: false })
    return stat && { text: `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`, changedAt: stat.ctimeMs }
  }

  #toTag(name: string, ref: PackedRef | undefined, known: ReadonlyMap<Oid, Tag>): Tag | undefined {
    if (ref === undefined || ref.oid === 'damaged') return undefined
    const { oid } = ref
    const same = known.get(oid)
    if (same !== undefined) return same.name === name ? same : { ...same, name }
    const peeled = unlessDamaged(() => peelRef(this.#objects, ref))
    return peeled === 'damaged' ? undefined : { name, oid, peeled }
  }
}

/** To find out that objects are there costs a fraction of reading them. Throws as `peel` does. */
function peelRef(objects: ObjectReader, { oid, peeled }: PackedRef): Oid | undefined {
  if (peeled === null) return peel(objects, oid)
  for (const needed of peeled === undefined ? [oid] : [oid, peeled])
    if (!objects.has(needed)) throw new ObjectMissing(needed)
  return peeled
}

function bytesOf({ marks, tags }: Known): number {
  let bytes = TAG_BYTES * (1 + (marks?.size ?? 0) + tags.length)
  for (const { name } of tags) bytes += name.length
  return bytes
}

/** The patrol names what is damaged; the site's other refs can still be fetched. */
function unlessDamaged<T>(read: () => T): T | 'damaged' {
  try {
    return read()
  } catch {
    return 'damaged'
  }
}

/** What each tag names, by the tag's full name. Throws RepositoryInvalid for one that holds no oid. */
export function readTags(gitdir: string): Map<string, Oid> {
  const { loose, packed } = findTags(gitdir, (name) => readLooseRef(gitdir, name))
  return new Map([...[...packed].map(([name, { oid }]) => [name, oid] as const), ...loose])
}

export function countLooseTags(gitdir: string): number {
  return [...looseNames(gitdir).values()].flat().length
}

/** The same for the same tags, whatever their order, and for no others; empty where there are none. */
export function markOfTags(tags: ReadonlyMap<string, Oid>): string {
  if (tags.size === 0) return ''
  const lines = sortByBytes([...tags].map(([name, oid]) => `${oid} ${name}\n`))
  return createHash('sha256').update(lines.join('')).digest('hex')
}

/** What a tag names in the end; undefined for a tag that is no object. Throws ObjectMissing and ObjectCorrupt. */
export function peel(objects: ObjectReader, oid: Oid): Oid | undefined {
  let peeled = oid
  for (let peels = 0; peels < MAX_PEELS && objects.readHeader(peeled).type === 'tag'; peels++)
    peeled = parseTag(objects.read(peeled).content)
  return peeled === oid ? undefined : peeled
}

/**
 * What each loose and each packed tag names, by full name, and the folders of the loose ones. git packs a tag before it takes the loose one
 * away, so the packed ones are read last: no tag is overlooked.
 */
function findTags(gitdir: string, readLoose: (name: string) => Oid | undefined) {
  const names = looseNames(gitdir)
  const loose = new Map<string, Oid>()
  for (const name of [...names.values()].flat()) {
    const oid = readLoose(name)
    if (oid !== undefined) loose.set(name, oid)
  }
  return { loose, packed: readPackedRefs(gitdir, `${TAGS}/`), folders: [...names.keys()] }
}

/** Full names of the loose tags, by the folder that holds them. */
function looseNames(gitdir: string, folder = TAGS, found = new Map<string, string[]>()): Map<string, string[]> {
  const names: string[] = []
  found.set(folder, names)
  for (const entry of entriesOf(join(gitdir, folder))) {
    const name = `${folder}/${entry.name}`
    if (entry.isDirectory()) looseNames(gitdir, name, found)
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

/** As git orders names: a character of JavaScript is not always a byte. */
function sortByBytes(texts: Iterable<string>): string[] {
  const bytes = [...texts].map((text) => Buffer.from(text).toString('latin1'))
  return bytes.toSorted().map((text) => Buffer.from(text, 'latin1').toString())
}
