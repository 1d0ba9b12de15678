// Indexes this process's own writes from their facts. Writes that the store answers together share one transaction, and
// each still reads its page as its own commit left it.

import type { PageRow } from '../catalog/index/tables/rows.js'
import { IndexLost, type SiteIndex } from '../catalog/index/site-index.js'
import { IndexMoved } from '../catalog/index/tables/index-position.js'
import type { CommitFacts } from '../model/commits/facts.js'
import type { SiteRef, Written } from '../store/protocol/write.js'
import { type FollowedSite, MAX_OWN_WRITE_WAIT_MS } from './followed-site.js'

/** How often a write looks whether the index is free. */
const LOOK_MS = 1

interface OwnWrite {
  site: SiteRef
  facts: CommitFacts
  /** The id of the page or record that was written. */
  id: string
  resolve(page: PageRow | undefined): void
  reject(error: unknown): void
}

export class OwnWrites {
  readonly #index: SiteIndex
  readonly #follow: (site: SiteRef) => FollowedSite
  #waiting: OwnWrite[] = []

  constructor(index: SiteIndex, follow: (site: SiteRef) => FollowedSite) {
    this.#index = index
    this.#follow = follow
  }

  /** The page that the write was about, as the write left it; undefined where it was about none, or the index must catch up first. */
  async apply(site: SiteRef, { facts, id }: Written): Promise<PageRow | undefined> {
    if (facts === null) return undefined
    return await new Promise((resolve, reject) => {
      // The writes of a batch are answered in one task: all of them wait by the time the microtask runs.
      if (this.#waiting.length === 0) queueMicrotask(() => this.#applySoon())
      this.#waiting.push({ site, facts, id, resolve, reject })
    })
  }

  /** The thread serves requests, so it does not block while another one writes to the index; past a second the index follows later. */
  #applySoon(): void {
    const end = performance.now() + MAX_OWN_WRITE_WAIT_MS
    // Before the look: long work that begins a transaction now waits for this write, or is seen.
    const isDone = this.#index.announceWrite()
    const look = () => {
      if (this.#index.isHeld && performance.now() < end) {
        setTimeout(look, LOOK_MS)
        return
      }
      this.#applyWaiting()
      isDone()
    }
    look()
  }

  #applyWaiting(): void {
    const writes = this.#waiting
    this.#waiting = []
    try {
      if (this.#index.isHeld) throw new IndexMoved('Another thread writes to the index.')
      const pages = new Map<CommitFacts, PageRow | undefined>()
      this.#index.together(() => {
        for (const ofSite of bySite(writes)) this.#applyTo(ofSite, pages)
      })
      for (const write of writes) write.resolve(pages.get(write.facts))
    } catch (error) {
      const mustCatchUp = error instanceof IndexLost || error instanceof IndexMoved
      for (const write of writes) {
        if (mustCatchUp) write.resolve(undefined)
        else write.reject(error)
      }
    }
    for (const { site, facts } of writes) this.#follow(site).wasIndexed(facts.oid)
  }

  /** Adds the page that each write left. */
  #applyTo(writes: readonly [OwnWrite, ...OwnWrite[]], pages: Map<CommitFacts, PageRow | undefined>): void {
    const { site } = writes[0]
    const ids = new Map(writes.map(({ facts, id }) => [facts, id]))
    this.#follow(site).applyWrites([...ids.keys()], (facts) => {
      const isPage = facts.pageFiles.length > 0 || facts.sidecars.length > 0
      if (isPage) pages.set(facts, this.#index.pages.find(site.id, ids.get(facts) ?? ''))
    })
  }
}

function bySite(writes: readonly OwnWrite[]): Iterable<[OwnWrite, ...OwnWrite[]]> {
  const sites = new Map<string, [OwnWrite, ...OwnWrite[]]>()
  for (const write of writes) {
    const others = sites.get(write.site.id)
    if (others === undefined) sites.set(write.site.id, [write])
    else others.push(write)
  }
  return sites.values()
}
