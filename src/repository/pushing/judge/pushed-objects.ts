// Reads the objects of a push, packed or loose, before those of its repository (git-receive-pack, "Quarantine environment").

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { checkObject, type GitObject } from '../../../git/objects/object.js'
import type { Oid } from '../../../git/objects/oid.js'
import { type ObjectHeader, readLooseHeader, readLooseObject } from '../../../git/storage/loose.js'
import type { ObjectReader } from '../../../git/storage/object-reader.js'
import { UninstalledPacks } from '../../../git/streams/uninstalled-packs.js'

export class PushedObjects extends UninstalledPacks {
  readonly #folder: string
  readonly #loose: ReadonlySet<Oid>

  /** Reads what the quarantine folder has now. The caller closes `repository`. */
  constructor(repository: ObjectReader, folder: string) {
    super(repository, packsIn(folder))
    this.#folder = folder
    this.#loose = new Set(looseObjectsIn(folder))
  }

  override read(oid: Oid): GitObject {
    const loose = this.#loose.has(oid) ? readLooseObject(this.#folder, oid) : undefined
    return loose === undefined ? super.read(oid) : checkObject(oid, loose)
  }

  override readHeader(oid: Oid): ObjectHeader {
    const loose = this.#loose.has(oid) ? readLooseHeader(this.#folder, oid) : undefined
    return loose ?? super.readHeader(oid)
  }
}

function packsIn(folder: string): string[] {
  const packs = namesIn(join(folder, 'pack')).filter((name) => name.endsWith('.pack'))
  return packs.map((name) => join(folder, 'pack', name.slice(0, -'.pack'.length)))
}

/** git writes a push of few objects loose (receive.unpackLimit). */
function looseObjectsIn(folder: string): Oid[] {
  const folders = namesIn(folder).filter((name) => /^[0-9a-f]{2}$/.test(name))
  return folders.flatMap((start) => namesIn(join(folder, start)).map((rest) => start + rest))
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
