// The tags of a repository, loose and packed. They are read again when a folder or file that holds them has changed.

import { createHash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseTag } from '../objects/tag.js'
import type { ObjectReader } from '../storage/object-reader.js'
import type { Oid } from '../objects/oid.js'
import { listPackedRefs, readRef } from './ref.js'

const TAGS = 'refs/tags'
const PACKED = 'packed-refs'
/** What changed within this time may change again and keep its modification time. */
const SETTLED_MS = 100
/** A tag of a tag of a tag: git follows any number of them. */
const MAX_PEELS = 8

export interface Tag {
  /** Full: `refs/tags/v1`. */
  name: string
  oid: Oid
  /** What an annotated tag names; undefined for a tag that is no object. */
  peeled: Oid | undefined
}

interface Known {
  /** By file or folder, when it was changed. */
  marks: ReadonlyMap<string, string>
  tags: readonly Tag[]
}

export class Tags {
  readonly #gitdir: string
  readonly #objects: ObjectReader
  #known: Known | undefined

  constructor(gitdir: string, objects: ObjectReader) {
    this.#gitdir = gitdir
    this.#objects = objects
  }

  /** By name, as git orders them. A tag whose object is missing or damaged is left out. */
  list(): readonly Tag[] {
    if (this.#known !== undefined && this.#isUnchanged(this.#known)) return this.#known.tags
    const before = Date.now()
    const { names, folders } = findNames(this.#gitdir)
    const places = [PACKED, ...folders]
    const marks = new Map(places.map((place) => [place, this.#markOf(place)?.text ?? '']))
    const isSettled = places.every((place) => before - (this.#markOf(place)?.changedAt ?? 0) > SETTLED_MS)
    const earlier = new Map(this.#known?.tags.map((tag) => [tag.oid, tag]))
    const tags = names.flatMap((name) => this.#readTag(name, earlier) ?? [])
    this.#known = isSettled ? { marks, tags } : undefined
    return tags
  }

  #isUnchanged({ marks }: Known): boolean {
    for (const [place, mark] of marks) if ((this.#markOf(place)?.text ?? '') !== mark) return false
    return true
  }

  #markOf(place: string): { text: string; changedAt: number } | undefined {
    const stat = statSync(join(this.#gitdir, place), { throwIfNoEntry: false })
    return stat && { text: `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`, changedAt: stat.ctimeMs }
  }

  #readTag(name: string, earlier: ReadonlyMap<Oid, Tag>): Tag | undefined {
    try {
      const oid = readRef(this.#gitdir, name, 0)
      if (oid === undefined) return undefined
      const known = earlier.get(oid)
      return known === undefined ? { name, oid, peeled: peel(this.#objects, oid) } : { ...known, name }
    } catch {
      // The patrol names what is damaged; the site's other refs can still be fetched.
      return undefined
    }
  }
}

/** What each tag names, by the tag's full name. Throws RepositoryInvalid for one that holds no oid. */
export function readTags(gitdir: string): Map<string, Oid> {
  const { names } = findNames(gitdir)
  return new Map(
    names.flatMap((name) => {
      const oid = readRef(gitdir, name)
      return oid === undefined ? [] : [[name, oid] as const]
    }),
  )
}

/** The same for the same tags, whatever their order, and for no others; empty where there are none. */
export function markOfTags(tags: ReadonlyMap<string, Oid>): string {
  if (tags.size === 0) return ''
  const lines = [...tags].map(([name, oid]) => `${oid} ${name}\n`).toSorted(byBytes)
  return createHash('sha256').update(lines.join('')).digest('hex')
}

/** What a tag names in the end; undefined for a tag that is no object. Throws ObjectMissing and ObjectCorrupt. */
export function peel(objects: ObjectReader, oid: Oid): Oid | undefined {
  let peeled = oid
  for (let peels = 0; peels < MAX_PEELS && objects.readHeader(peeled).type === 'tag'; peels++)
    peeled = parseTag(objects.read(peeled).content)
  return peeled === oid ? undefined : peeled
}

/** Names of all tags, sorted, and the folders of those that are loose. */
function findNames(gitdir: string): { names: string[]; folders: string[] } {
  const loose = new Map<string, string[]>()
  collectNames(gitdir, TAGS, loose)
  const packed = listPackedRefs(gitdir).filter((name) => name.startsWith(`${TAGS}/`))
  const names = [...new Set([...[...loose.values()].flat(), ...packed])].toSorted(byBytes)
  return { names, folders: [...loose.keys()] }
}

/** Full names of the loose refs, by the folder that holds them. */
function collectNames(gitdir: string, folder: string, found: Map<string, string[]>): void {
  const names: string[] = []
  found.set(folder, names)
  let entries
  try {
    entries = readdirSync(join(gitdir, folder), { withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  for (const entry of entries) {
    const name = `${folder}/${entry.name}`
    if (entry.isDirectory()) collectNames(gitdir, name, found)
    else if (!name.endsWith('.lock')) names.push(name)
  }
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
