// What git sees when it serves a fetch: a view of the site's objects (objects-view.ts) with the advertised refs, and no others.

import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { makeView } from '../../../git/disk/objects-view.js'
import { SCRATCH } from '../../../git/disk/scratch.js'
import { MAIN } from '../../format/main-ref.js'
import { toServiceError } from '../../protocol/failure.js'
import type { AdvertisedRefs } from '../../protocol/repository.js'

/** Tags of all views together; a view counts as some more. */
const MAX_REMEMBERED = 100_000
const VIEW = 100

export class FetchViews {
  /** By folder, the refs that it was given last by this process. */
  readonly #written = new LRUCache<string, AdvertisedRefs>({
    maxSize: MAX_REMEMBERED,
    sizeCalculation: ({ tags }) => VIEW + tags.length,
  })

  /**
   * Brings the folder to these refs, and returns its path. It need not survive a power cut. On a full disk it keeps older refs, which
   * only following tags depends on. Throws ServiceError where it cannot be made at all.
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

/** git leaves temporary files there when it is killed. */
function makeAnew(gitdir: string, view: string): void {
  rmSync(view, { recursive: true, force: true })
  makeView(gitdir, view)
}

/** In the order and form of git-pack-refs. */
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
