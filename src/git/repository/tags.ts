// The tags of a repository, loose and packed. They are read again when a folder or file that holds them has changed.

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { ObjectMissing } from '../objects/errors.js'
import { parseTag } from '../objects/tag.js'
import type { ObjectReader } from '../storage/object-reader.js'
import type { Oid } from '../objects/oid.js'
import { compareBytes } from './byte-order.js'
import { PACKED_REFS, type PackedRef } from './packed-refs.js'
import { readLooseRef } from './ref.js'
import { looseTagNames, readPackedTags } from './tag-refs.js'

/** A file changed within this time may change again and keep its modification time. */
const SETTLED_MS = 100
/** Depth of tags of tags that is followed here; git follows any number of them. */
const MAX_PEELS = 8
/** Bytes of the tags of all repositories that are kept in memory. */
const KEPT_BYTES = 16 * 1024 * 1024
/** Bytes of a tag in memory, without its name. */
const TAG_BYTES = 200

export interface Tag {
  /** Full: `refs/tags/v1`. */
  name: string
  oid: Oid
  /** The object that an annotated tag names; undefined for a tag without an object of its own. */
  peeled: Oid | undefined
}

/** State of a file or folder: `mark` changes with it, and is undefined if it may have changed since. */
interface Seen {
  mark: string | undefined
}

interface Known {
  packed: Seen & { tags: readonly Tag[] }
  /** By name; undefined for a damaged tag. */
  loose: ReadonlyMap<string, Tag | undefined>
  /** The folders of loose tags. */
  folders: ReadonlyMap<string, Seen>
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

  /** Lists tags by name, in git's order. A tag whose object is missing or damaged is left out. */
  list(): readonly Tag[] {
    const known = Tags.#kept.get(this)
    if (known !== undefined && this.#isUnchanged(known)) return known.tags
    const found = this.#read(known)
    Tags.#kept.set(this, found)
    return found.tags
  }

  #isUnchanged({ packed, folders }: Known): boolean {
    if (!this.#isAs(PACKED_REFS, packed)) return false
    for (const [folder, seen] of folders) if (!this.#isAs(folder, seen)) return false
    return true
  }

  #isAs(place: string, { mark }: Seen): boolean {
    return mark !== undefined && this.#stateOf(place, Infinity).mark === mark
  }

  /** Reads loose tags first, packed ones last. git packs a tag before it removes the loose one, so none is missed. */
  #read(known: Known | undefined): Known {
    const before = Date.now()
    const names = looseTagNames(this.#gitdir)
    const loose = this.#readLoose([...names.values()].flat(), known)
    const folders = new Map([...names.keys()].map((folder) => [folder, this.#stateOf(folder, before)]))
    const packed = known && this.#isAs(PACKED_REFS, known.packed) ? known.packed : this.#readPacked(before, known)
    return { packed, loose, folders, tags: merge(packed.tags, loose) }
  }

  #readLoose(names: readonly string[], known: Known | undefined): Map<string, Tag | undefined> {
    const byOid = byOidOf([...(known?.loose.values() ?? [])])
    const loose = new Map<string, Tag | undefined>()
    for (const name of names) {
      const oid = unlessDamaged(() => readLooseRef(this.#gitdir, name, 0))
      if (oid === 'damaged') loose.set(name, undefined)
      else if (oid !== undefined) loose.set(name, this.#toTag(name, { oid, peeled: null }, byOid))
    }
    return loose
  }

  #readPacked(before: number, known: Known | undefined): Known['packed'] {
    const { mark } = this.#stateOf(PACKED_REFS, before)
    const refs = readPackedTags(this.#gitdir)
    const byOid = byOidOf(known?.tags ?? [])
    const tags = [...refs].flatMap(([name, ref]) => this.#toTag(name, ref, byOid) ?? [])
    return { mark, tags: tags.toSorted(byName) }
  }

  /** Returns the state of a place. `before`: start of reading it, in milliseconds since 1970. */
  #stateOf(place: string, before: number): Seen {
    const stat = statSync(join(this.#gitdir, place), { throwIfNoEntry: false })
    if (stat === undefined) return { mark: '' }
    const isSettled = before - stat.ctimeMs > SETTLED_MS
    return { mark: isSettled ? `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}` : undefined }
  }

  #toTag(name: string, ref: PackedRef, byOid: Map<Oid, Tag>): Tag | undefined {
    const { oid } = ref
    const same = byOid.get(oid)
    if (same !== undefined) return same.name === name ? same : { ...same, name }
    const peeled = unlessDamaged(() => peelRef(this.#objects, ref))
    if (peeled === 'damaged') return undefined
    const tag = { name, oid, peeled }
    byOid.set(oid, tag)
    return tag
  }
}

function byOidOf(tags: readonly (Tag | undefined)[]): Map<Oid, Tag> {
  return new Map(tags.flatMap((tag) => (tag === undefined ? [] : [[tag.oid, tag]])))
}

/**
 * Merges tags. A loose tag replaces the packed one of its name, even if it is damaged. The packed ones are in order, and may be
 * thousands: they are not sorted again for each loose one.
 */
function merge(packed: readonly Tag[], loose: ReadonlyMap<string, Tag | undefined>): readonly Tag[] {
  if (loose.size === 0) return packed
  const inOrder = [...loose].toSorted(([a], [b]) => compareBytes(a, b))
  const merged: (Tag | undefined)[] = []
  let next = 0
  const takeLoose = (isBefore: (name: string) => boolean) => {
    for (let at = inOrder[next]; at !== undefined && isBefore(at[0]); at = inOrder[++next]) merged.push(at[1])
  }
  for (const tag of packed) {
    takeLoose((name) => compareBytes(name, tag.name) < 0)
    if (inOrder[next]?.[0] !== tag.name) merged.push(tag)
  }
  takeLoose(() => true)
  return merged.filter((tag) => tag !== undefined)
}

/** Peels a ref. Checking that objects exist costs a fraction of reading them. Throws as `peel` does. */
function peelRef(objects: ObjectReader, { oid, peeled }: PackedRef): Oid | undefined {
  if (peeled === null) return peel(objects, oid)
  for (const needed of peeled === undefined ? [oid] : [oid, peeled])
    if (!objects.isStored(needed)) throw new ObjectMissing(needed)
  return peeled
}

function bytesOf({ folders, tags }: Known): number {
  let bytes = TAG_BYTES * (1 + folders.size + tags.length)
  for (const { name } of tags) bytes += name.length
  return bytes
}

/** Reads, or returns 'damaged': the patrol reports damage, and the site's other refs can still be fetched. */
function unlessDamaged<T>(read: () => T): T | 'damaged' {
  try {
    return read()
  } catch {
    return 'damaged'
  }
}

/** Returns the object at the end of a chain of tags; undefined for a tag without an object. Throws ObjectMissing and ObjectCorrupt. */
export function peel(objects: ObjectReader, oid: Oid): Oid | undefined {
  let peeled = oid
  for (let peels = 0; peels < MAX_PEELS && objects.readHeader(peeled).type === 'tag'; peels++)
    peeled = parseTag(objects.read(peeled).content)
  return peeled === oid ? undefined : peeled
}

function byName(a: Tag, b: Tag): number {
  return compareBytes(a.name, b.name)
}
