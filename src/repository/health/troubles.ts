// Collects the troubles of single sites for operators. Code that finds a trouble reports it here, and clears it when it is gone. The
// trouble of one site never makes the service unready.

import type { Clock } from '../../model/clock.js'
import { ofDrafts, REMEDIES, type Trouble, type TroubleKind } from '../protocol/trouble.js'
import type { SiteRef } from '../protocol/write.js'

export interface NotedTrouble extends Required<Trouble> {
  siteId: string
  slug: string
  /** The time of the first report. */
  since: Date
}

/** More would not help: a repository without its objects would have thousands. */
const MAX_TROUBLES_PER_SITE = 20

export interface TroublesOptions {
  clock: Clock
  /** Called once for each new trouble. */
  onNew?: (trouble: NotedTrouble) => void
}

export class Troubles {
  readonly #clock: Clock
  readonly #onNew: (trouble: NotedTrouble) => void
  /** Troubles by site id, then by kind and subject. */
  readonly #bySite = new Map<string, Map<string, NotedTrouble>>()

  readonly #gone = new Set<string>()

  constructor({ clock, onNew = () => undefined }: TroublesOptions) {
    this.#clock = clock
    this.#onNew = onNew
  }

  /** Notes a trouble of the site, or of its change requests if it names one. One that is reported again keeps its time and takes the new words. */
  report({ id: siteId, slug, request }: SiteRef, found: Trouble): void {
    if (this.#gone.has(siteId)) return
    const { kind, subject = '', what, remedy = REMEDIES[kind] } = request === undefined ? found : ofDrafts(found)
    let noted = this.#bySite.get(siteId)
    if (noted === undefined) this.#bySite.set(siteId, (noted = new Map()))
    const key = keyOf(kind, subject)
    const known = noted.get(key)
    if (known === undefined && noted.size >= MAX_TROUBLES_PER_SITE) return
    const trouble = { siteId, slug, kind, subject, what, remedy, since: known?.since ?? this.#clock() }
    noted.set(key, trouble)
    if (known === undefined) this.#onNew(trouble)
  }

  /** Removes the trouble of that kind and subject, or all of the kind. */
  clear(site: SiteRef, kind: TroubleKind, subject?: string): void {
    const noted = this.#bySite.get(site.id)
    if (noted === undefined) return
    for (const [key, trouble] of noted) {
      if (trouble.kind === kind && (subject === undefined || trouble.subject === subject)) noted.delete(key)
    }
    if (noted.size === 0) this.#bySite.delete(site.id)
  }

  /** Removes a deleted site's troubles. Later reports of it are ignored. */
  forget(site: SiteRef): void {
    this.#gone.add(site.id)
    this.#bySite.delete(site.id)
  }

  /** Returns the troubles of one site, the oldest first. */
  of(siteId: string): NotedTrouble[] {
    return [...(this.#bySite.get(siteId)?.values() ?? [])]
  }

  /** Returns the troubles of all sites. */
  list(): NotedTrouble[] {
    return [...this.#bySite.values()].flatMap((noted) => [...noted.values()])
  }
}

function keyOf(kind: TroubleKind, subject: string): string {
  return `${kind} ${subject}`
}
