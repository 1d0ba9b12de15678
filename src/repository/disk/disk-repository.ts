// A branch of a bare repository on this machine's disk, for reading: a site's main, or a change request. git's own programs share it.

import type { NewObject } from '../../git/objects/object.js'
import type { Oid } from '../../git/objects/oid.js'
import { readRef, refMark } from '../../git/repository/ref.js'
import { readTags } from '../../git/repository/tag-refs.js'
import { type Tag, Tags } from '../../git/repository/tags.js'
import { ObjectDatabase, type ObjectDatabaseOptions } from '../../git/storage/object-database.js'
import { MAIN } from '../format/main-ref.js'
import type { Repository } from '../protocol/repository.js'

export interface BranchOptions extends Pick<ObjectDatabaseOptions, 'budget' | 'lender'> {
  /** Default: main. */
  branch?: string
}

export class DiskRepository implements Repository {
  readonly objects: ObjectDatabase
  readonly #gitdir: string
  readonly #branch: string
  readonly #tags: Tags

  constructor(gitdir: string, { branch = MAIN, ...options }: BranchOptions = {}) {
    this.#gitdir = gitdir
    this.#branch = branch
    this.objects = new ObjectDatabase(gitdir, options)
    this.#tags = new Tags(gitdir, this.objects)
  }

  /** Does not wait for a writer that holds the ref, because the thread may serve visitors. */
  head(): Oid | undefined {
    return readRef(this.#gitdir, this.#branch, 0)
  }

  headMark(): string | undefined {
    return refMark(this.#gitdir, this.#branch)
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
