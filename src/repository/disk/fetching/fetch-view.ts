// Makes the folder that git sees when it serves a fetch: the site's objects (objects-view.ts) with the advertised refs only.

import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { makeView } from '../../../git/disk/objects-view.js'
import { SCRATCH } from '../../../git/disk/scratch.js'
import { MAIN } from '../../format/main-ref.js'
import { toServiceError } from '../../protocol/failure.js'
import type { AdvertisedRefs } from '../../protocol/repository.js'

/** The number of tags that all views together remember; a view itself counts as 100 more. */
const MAX_REMEMBERED = 100_000
const VIEW = 100

export class FetchViews {
  /** The refs that this process last wrote, by folder. */
  readonly #written = new LRUCache<string, AdvertisedRefs>({
    maxSize: MAX_REMEMBERED,
    sizeCalculation: ({ tags }) => VIEW + tags.length,
  })

  /**
   * Brings the folder to these refs, and returns its path. It need not survive a power cut. On a full disk it keeps older refs, which
   * affects only the following of tags. Throws ServiceError if it cannot be made at all.
   */
  prepare(gitdir: string, refs: AdvertisedRefs): string {
    const view = join(gitdir, SCRATCH, 'fetch-view')
    const known = this.#written.get(view)
    try {
      if (known === undefined) makeAnew(gitdir, view)
      if (known?.main !== refs.main || known.tags !== refs.tags) writePackedRefs(view, refs)
      this.#written.set(view, refs)
    } catch (error) {
      if (known === undefined) throw toServiceError(error)
    }
    return view
  }
}

/** Makes the folder again, because git leaves temporary files there when it is killed. */
function makeAnew(gitdir: string, view: string): void {
  rmSync(view, { recursive: true, force: true })
  makeView(gitdir, view)
}

/** Writes packed-refs in the order and form of git-pack-refs. */
function writePackedRefs(view: string, { main, tags }: AdvertisedRefs): void {
  const lines = [`${main} ${MAIN}`]
  for (const { name, oid, peeled } of tags) {
    lines.push(`${oid} ${name}`)
    if (peeled !== undefined) lines.push(`^${peeled}`)
  }
  const next = join(view, 'packed-refs.new')
  writeFileSync(next, `# pack-refs with: peeled fully-peeled sorted \n${lines.join('\n')}\n`)
  renameSync(next, join(view, 'packed-refs'))
}
