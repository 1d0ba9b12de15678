// Keeps smaller forms of pictures on disk, up to a number of bytes. They can be made again, so nothing waits for the disk to sync them.

import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { LRUCache } from 'lru-cache'

/** A crash may leave a part of a file: each begins with the hash of the rest. */
const HASH_BYTES = 32
/** Estimated space of a file beyond its bytes. */
const FILE_BYTES = 4096

export class KeptPictures {
  readonly #folder: string
  /** Sizes in bytes by name. The file that was not asked for the longest is removed first. */
  readonly #sizes: LRUCache<string, number>
  #found: Promise<void> | undefined

  constructor(folder: string, maxBytes: number) {
    this.#folder = folder
    this.#sizes = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: (size) => size + FILE_BYTES,
      dispose: (_size, name, reason) => {
        if (reason !== 'set') void rm(join(folder, name), { force: true }).catch(() => undefined)
      },
    })
  }

  /** Resolves to the bytes kept under the name; undefined if there are none, or the file is damaged. `name`: `<site id>/<form>`. */
  async find(name: string): Promise<Buffer | undefined> {
    await (this.#found ??= this.#list())
    if (this.#sizes.get(name) === undefined) return undefined
    const file = await readFile(join(this.#folder, name)).catch(() => undefined)
    const bytes = file?.subarray(HASH_BYTES)
    if (bytes !== undefined && hashOf(bytes).equals(file!.subarray(0, HASH_BYTES))) return bytes
    this.#sizes.delete(name)
    return undefined
  }

  /** Keeps the bytes. A full disk only costs the time of making them again. */
  async keep(name: string, bytes: Buffer): Promise<void> {
    const path = join(this.#folder, name)
    const next = `${path}.${randomUUID()}.new`
    try {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(next, Buffer.concat([hashOf(bytes), bytes]))
      await rename(next, path)
      this.#sizes.set(name, bytes.length)
    } catch {
      await rm(next, { force: true }).catch(() => undefined)
    }
  }

  /** Takes up what an earlier process kept, oldest first. Removes files that it did not finish. */
  async #list(): Promise<void> {
    const entries = await readdir(this.#folder, { recursive: true, withFileTypes: true }).catch(() => [])
    const files: { name: string; size: number; madeAt: number }[] = []
    for (const entry of entries.filter((each) => each.isFile())) {
      const path = join(entry.parentPath, entry.name)
      // One after the other: there may be thousands, and other requests read files meanwhile.
      // oxlint-disable-next-line no-await-in-loop
      const found = await stat(path).catch(() => undefined)
      // An operator may remove the files of a deleted site at any time.
      if (found === undefined) continue
      if (entry.name.endsWith('.new')) void rm(path, { force: true }).catch(() => undefined)
      else
        files.push({ name: path.slice(this.#folder.length + 1), size: found.size - HASH_BYTES, madeAt: found.mtimeMs })
    }
    for (const { name, size } of files.toSorted((a, b) => a.madeAt - b.madeAt)) this.#sizes.set(name, size)
  }
}

function hashOf(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}
