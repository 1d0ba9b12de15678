// A site's bare repository on this machine's disk, for reading. git's own programs share it.

import type { NewObject } from '../../git/objects/object.js'
import type { Oid } from '../../git/objects/oid.js'
import { readRef, refMark } from '../../git/repository/ref.js'
import { readTags } from '../../git/repository/tag-refs.js'
import { type Tag, Tags } from '../../git/repository/tags.js'
import { ObjectDatabase } from '../../git/storage/object-database.js'
import type { ReadBudget } from '../../git/storage/object-reader.js'
import { MAIN } from '../format/main-ref.js'
import type { Repository } from '../protocol/repository.js'

export class DiskRepository implements Repository {
  readonly objects: ObjectDatabase
  readonly #gitdir: string
  readonly #tags: Tags

  constructor(gitdir: string, budget?: ReadBudget) {
    this.#gitdir = gitdir
    this.objects = new ObjectDatabase(gitdir, budget && { budget })
    this.#tags = new Tags(gitdir, this.objects)
  }

  /** Does not wait for a writer that holds the ref, because the thread may serve visitors. */
  head(): Oid | undefined {
    return readRef(this.#gitdir, MAIN, 0)
  }

  headMark(): string | undefined {
    return refMark(this.#gitdir, MAIN)
  }

  tags(): readonly Tag[] {
    return this.#tags.list()
  }

  /** Returns the object that each tag names, by the tag's full name, even if that object is missing here. */
  readTags(): Map<string, Oid> {
    return readTags(this.#gitdir)
  }

  remember(objects: readonly NewObject[]): void {
    this.objects.remember(objects)
  }

  close(): void {
    this.objects.close()
  }
}
