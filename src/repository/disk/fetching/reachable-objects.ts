// Lists all objects that main reaches, by site, for partial clones. These ask for single trees and blobs, and only such a list tells
// whether a commit of the history has them. A list is made when it is first needed, and is extended as main moves.

import { LRUCache } from 'lru-cache'
import type { Oid } from '../../../git/objects/oid.js'
import { OidSet } from '../../../git/objects/oid-set.js'
import { startGit } from '../../../git/serving-command.js'
import { ServiceError } from '../../../model/errors.js'

/** The limit for all lists together: some three million objects. */
const MAX_BYTES = 128 * 1024 * 1024
const MAX_LIST_BYTES = MAX_BYTES / 2
const MAX_LIST_MS = 60_000
const LINE_BYTES = 41

interface Known {
  objects: OidSet
  /** The commit that reaches these objects. */
  head: Oid
}

/** The folder of a site's objects, and a view: a folder in the form of a repository. */
export interface ObjectPlace {
  view: string
  objects: string
}

export class ReachableObjects {
  readonly #known = new LRUCache<string, Known>({ maxSize: MAX_BYTES, sizeCalculation: ({ objects }) => objects.bytes })
  /** The list that is being made, by site: others wait for it. */
  readonly #making = new Map<string, Promise<Known>>()

  /**
   * Returns those of the objects that `head` reaches. `isAncestor` says whether a commit is in its history. Throws `too_costly` for a
   * site with too many objects, and `service_busy` if listing them takes too long.
   */
  async among(
    siteId: string,
    place: ObjectPlace,
    head: Oid,
    oids: readonly Oid[],
    isAncestor: (commit: Oid) => Promise<boolean>,
  ): Promise<Oid[]> {
    while (this.#making.has(siteId)) await this.#making.get(siteId)?.catch(() => undefined)
    const known = this.#known.get(siteId)
    const isUsable = known?.head === head
    const { objects } = isUsable ? known : await this.#bring(siteId, place, head, known, isAncestor)
    return oids.filter((oid) => objects.has(oid))
  }

  async #bring(
    siteId: string,
    place: ObjectPlace,
    head: Oid,
    known: Known | undefined,
    isAncestor: (commit: Oid) => Promise<boolean>,
  ): Promise<Known> {
    const making = (async () => {
      const base = known !== undefined && (await isAncestor(known.head)) ? known : undefined
      return { objects: await list(place, head, base), head }
    })()
    this.#making.set(siteId, making)
    try {
      const made = await making
      this.#known.set(siteId, made)
      return made
    } finally {
      if (this.#making.get(siteId) === making) this.#making.delete(siteId)
    }
  }
}

/** Lists the objects that `head` reaches. Extends the list of `base`, if given. */
async function list({ view, objects: folder }: ObjectPlace, head: Oid, base: Known | undefined): Promise<OidSet> {
  const objects = base?.objects ?? new OidSet()
  const args = ['rev-list', '--objects', '--no-object-names', head, ...(base === undefined ? [] : ['--not', base.head])]
  const git = await startGit(view, args, { objects: folder, protocol: 0, maxMs: MAX_LIST_MS })
  git.stdin.end()
  let rest = ''
  try {
    for await (const chunk of git.stdout as AsyncIterable<Buffer>) {
      const text = rest + chunk.toString('latin1')
      const end = text.length - (text.length % LINE_BYTES)
      for (let at = 0; at < end; at += LINE_BYTES) objects.add(text.slice(at, at + LINE_BYTES - 1))
      rest = text.slice(end)
      if (objects.bytes > MAX_LIST_BYTES)
        throw new ServiceError(
          'too_costly',
          'This site has too many objects for a partial clone: clone without --filter.',
        )
    }
  } finally {
    git.stop()
  }
  if ((await git.ended) === 0) return objects
  throw new ServiceError(
    'service_busy',
    'Listing the objects of this site took too long. Try again, or clone without --filter.',
  )
}
