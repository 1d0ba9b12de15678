// Reads objects in a thread that serves visitors: small ones at once, in turns; large ones in another thread.

import type { ObjectHeader } from '../../git/storage/loose.js'
import type { GitObject } from '../../git/objects/object.js'
import type { Oid } from '../../git/objects/oid.js'
import { type BlobSpan, LargeRead, ObjectReader } from '../../git/storage/object-reader.js'
import { pendingUntil, untilDone } from '../../threads/pending.js'
import type { Repository } from '../protocol/repository.js'

/** Reads an object of the site in another thread. Rejects with the git layer's errors, and with `site_busy`. */
export type LoadObject = (oid: Oid) => Promise<GitObject>

export class PacedObjects extends ObjectReader {
  readonly #repository: Pick<Repository, 'objects' | 'remember'>
  readonly #load: LoadObject
  readonly #owner: string
  readonly #loading = new Map<Oid, Promise<void>>()
  /** Loaded objects, or the errors of loading, until the waiting readers have taken them. */
  readonly #loaded = new Map<Oid, () => GitObject>()

  /** The repository reads at a pace: its reads throw Pending and LargeRead. */
  constructor(repository: Pick<Repository, 'objects' | 'remember'>, owner: string, load: LoadObject) {
    super()
    this.#repository = repository
    this.#owner = owner
    this.#load = load
  }

  override read(oid: Oid): GitObject {
    const loaded = this.#loaded.get(oid)
    if (loaded !== undefined) return loaded()
    try {
      return this.#repository.objects.read(oid)
    } catch (error) {
      if (error instanceof LargeRead) throw pendingUntil(this.#loadOnce(oid))
      throw error
    }
  }

  override readHeader(oid: Oid): ObjectHeader {
    return this.#repository.objects.readHeader(oid)
  }

  override isDelta(oid: Oid): boolean {
    return this.#repository.objects.isDelta(oid)
  }

  override readLargeBlob(oid: Oid, span?: BlobSpan): AsyncGenerator<Buffer> {
    return this.#repository.objects.readLargeBlob(oid, span)
  }

  override loadBlob(oid: Oid): Promise<Buffer> {
    return untilDone(this.#owner, () => this.readBlob(oid))
  }

  #loadOnce(oid: Oid): Promise<void> {
    const known = this.#loading.get(oid)
    if (known !== undefined) return known
    const loading = this.#load(oid)
      .then(
        (object) => {
          this.#repository.remember([{ oid, ...object }])
          this.#loaded.set(oid, () => object)
        },
        (error: unknown) => {
          this.#loaded.set(oid, () => {
            throw error
          })
        },
      )
      .then(() => {
        this.#loading.delete(oid)
        // The waiting readers go on before the next turn of the event loop.
        setImmediate(() => this.#loaded.delete(oid))
      })
    this.#loading.set(oid, loading)
    return loading
  }
}
