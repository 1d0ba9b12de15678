// The sites that a reader thread has open, each with the commits that it showed last.

import { LRUCache } from 'lru-cache'
import { DraftObjects } from '../../../git/storage/draft-objects.js'
import { UninstalledPacks } from '../../../git/streams/uninstalled-packs.js'
import type { Oid } from '../../../git/objects/oid.js'
import { ServiceError } from '../../../model/errors.js'
import type { Repositories, Repository } from '../../../repository/protocol/repository.js'
import type { SiteRef } from '../../../repository/protocol/write.js'
import type { SharedTree } from '../../../repository/protocol/writer-messages.js'
import { openShared } from '../../../repository/reading/shared-objects.js'
import { assertOwn } from '../../../repository/reading/own-repository.js'
import { type OnFailure, Snapshot } from '../../../repository/reading/snapshot.js'
import type { DraftToRead } from './view-to-read.js'

const OPEN_SITES = 256
/** Commits of each site. */
const OPEN_COMMITS = 8
/** Bytes of all open drafts. Their memory is shared with the previews as long as those are kept. */
const DRAFT_BYTES = 32 * 1024 * 1024
const DRAFT_ENTRY_BYTES = 1024

interface OpenSite {
  repository: Repository
  commits: LRUCache<Oid, Snapshot>
}

interface OpenDraft {
  packs: UninstalledPacks
  snapshot: Snapshot
  bytes: number
}

/** Opens sites. Its methods throw `site_unreadable`. */
export class OpenSites {
  readonly #repositories: Pick<Repositories, 'open'>
  readonly #onFailure: OnFailure
  /** Also change requests, by `keyOf`. */
  readonly #open = new LRUCache<string, OpenSite>({ max: OPEN_SITES, dispose: ({ repository }) => repository.close() })
  readonly #drafts = new LRUCache<string, OpenDraft>({
    maxSize: DRAFT_BYTES,
    sizeCalculation: ({ bytes }) => bytes + DRAFT_ENTRY_BYTES,
    dispose: ({ packs }) => packs.clear(),
  })

  constructor(repositories: Pick<Repositories, 'open'>, onFailure: OnFailure) {
    this.#repositories = repositories
    this.#onFailure = onFailure
  }

  /** Returns the site at its head. Throws if the repository is another site's. */
  head(site: SiteRef, commit: Oid): Snapshot {
    const { repository, commits } = this.#site(site)
    const known = commits.get(commit)
    if (known !== undefined) return known
    const snapshot = new Snapshot(site.id, repository.objects, commit, this.#onFailure)
    assertOwn(site.id, repository.objects, snapshot, this.#onFailure)
    commits.set(commit, snapshot)
    return snapshot
  }

  /** Returns the site at another commit. */
  version(site: SiteRef, head: Snapshot, commit: Oid): Snapshot {
    const { commits } = this.#site(site)
    const snapshot = commits.get(commit) ?? head.commitAt(commit)
    if (snapshot === undefined) throw new ServiceError('site_unreadable', `The site has no commit ${commit}.`)
    commits.set(commit, snapshot)
    return snapshot
  }

  draft(site: SiteRef, { commit, objects, packs: paths }: DraftToRead): Snapshot {
    const key = `${site.id} ${commit}`
    const known = this.#drafts.get(key)
    if (known !== undefined) return known.snapshot
    const packs = new UninstalledPacks(this.#site(site).repository.objects, paths)
    const snapshot = new Snapshot(site.id, new DraftObjects(packs, openShared(objects)), commit, this.#onFailure)
    this.#drafts.set(key, { packs, snapshot, bytes: objects.byteLength })
    return snapshot
  }

  /** Keeps folders in memory that a writer just stored, so that they need not be read and hashed. */
  remember(site: SiteRef, trees: readonly SharedTree[]): void {
    this.#open.peek(keyOf(site))?.repository.remember(
      trees.map(({ bytes: { buffer, byteOffset, byteLength }, ...tree }) => {
        return { ...tree, type: 'tree', content: Buffer.from(buffer, byteOffset, byteLength) }
      }),
    )
  }

  /** Closes a site and its change requests. */
  forget({ id }: SiteRef): void {
    for (const key of this.#open.keys()) if (key.startsWith(keyOf({ id }))) this.#open.delete(key)
  }

  #site(site: SiteRef): OpenSite {
    const known = this.#open.get(keyOf(site))
    if (known !== undefined) return known
    const repository = this.#repositories.open(site)
    // Its root would stay in memory after each write.
    const dispose = ({ tree }: Snapshot) => repository.objects.forget(tree)
    const open = { repository, commits: new LRUCache<Oid, Snapshot>({ max: OPEN_COMMITS, dispose }) }
    this.#open.set(keyOf(site), open)
    return open
  }
}

/** Returns the key of a site, which those of its change requests begin with. */
function keyOf({ id, request = '' }: Pick<SiteRef, 'id' | 'request'>): string {
  return `${id} ${request}`
}
