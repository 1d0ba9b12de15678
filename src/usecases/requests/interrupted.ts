// Settles the requests of a site that a crash interrupted, here or on another machine. The row of a published one is closed. A branch that
// was begun without a row is removed, and so is what a publish had copied.

import { existsSync } from 'node:fs'
import { OPEN_STATES } from '../../catalog/requests/change-requests.js'
import { branchesOf } from '../../repository/protocol/request-branches.js'
import { draftsOf, mainOf } from '../../repository/protocol/site-place.js'
import type { SiteRef } from '../../repository/protocol/write.js'
import { headIfReadable } from '../../repository/refs-here.js'
import { findAllPublished } from '../context/change-request.js'
import type { Services } from '../context/services.js'
import { removeBranch } from './begin-request.js'

type Parts = Pick<Services, 'catalog' | 'indexFollower' | 'replica' | 'store'>

/** Time after which a branch without a row counts as abandoned; making the row takes seconds. */
const MAKING_MS = 10 * 60_000
/** Requests of a site that may be open. */
const MAX_OPEN = 1_000

export class InterruptedRequests {
  readonly #parts: Parts
  readonly #makingMs: number
  /** Branches without a row, by site, with the time of first sight on the monotonic clock. */
  readonly #unbegun = new Map<string, Map<string, number>>()
  /** Ids of the sites whose repository was opened here, which removes what killed processes left in it. */
  readonly #opened = new Set<string>()

  constructor(parts: Parts, makingMs = MAKING_MS) {
    this.#parts = parts
    this.#makingMs = makingMs
  }

  /** Settles those of one site. Call it again and again: of most sites it reads no row and no file. */
  async settle(site: SiteRef): Promise<void> {
    await this.#closePublished(site)
    if (!existsSync(this.#gitdirOf(site))) return
    if (!this.#opened.has(site.id)) await this.#parts.store.writers.openRepository(draftsOf(site))
    this.#opened.add(site.id)
    await this.#removeUnbegun(site)
  }

  #gitdirOf(site: SiteRef): string {
    return this.#parts.store.repositories.gitdir(draftsOf(site))
  }

  async #closePublished(site: SiteRef): Promise<void> {
    const { changeRequests } = this.#parts.catalog
    const open = await changeRequests.list(site.id, { states: OPEN_STATES, limit: MAX_OPEN })
    if (open.length === 0) return
    const ids = open.map(({ id }) => id)
    for (const [id, commit] of await findAllPublished(this.#parts, site, ids))
      if (commit !== undefined) await changeRequests.setState(id, OPEN_STATES, 'closed')
  }

  /** Leaves a branch with content alone: `fsck` names it. */
  async #removeUnbegun(site: SiteRef): Promise<void> {
    const { catalog, replica } = this.#parts
    const isUnbegun = (id: string) => catalog.changeRequests.find(id) === undefined
    const unbegun = branchesOf(this.#gitdirOf(site)).filter(isUnbegun)
    const now = performance.now()
    const before = this.#unbegun.get(site.id)
    const seen = new Map(unbegun.map((id) => [id, before?.get(id) ?? now]))
    if (seen.size === 0) this.#unbegun.delete(site.id)
    else this.#unbegun.set(site.id, seen)
    for (const [request, since] of seen) {
      if (now - since < this.#makingMs) continue
      // Another machine may have made the row since.
      await replica.followCatalog()
      const branch = { ...site, request }
      if (isUnbegun(request) && (await this.#isAsBegun(branch))) await removeBranch({ ...this.#parts, site: branch })
    }
  }

  /** Whether the branch is at a commit of main. One that cannot be read is not. */
  async #isAsBegun(branch: SiteRef): Promise<boolean> {
    const { indexFollower, store } = this.#parts
    const head = headIfReadable(store.repositories, branch)
    if (head === undefined) return false
    const found = await indexFollower.read(mainOf(branch), ({ commits }) => commits.onMain([head]))
    return found.length > 0
  }
}
