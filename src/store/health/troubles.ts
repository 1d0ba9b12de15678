// What is wrong with single sites, for their operators to see: who finds a trouble reports it here, and who finds it
// gone clears it. One site's trouble never makes the service unready.

import type { Clock } from '../../model/clock.js'
import type { SiteRef } from '../protocol/write.js'

/**
 * `repository`: its form, its main branch or its configuration; `object`: one is damaged or missing; `history`: main lost
 * commits; `lock`: a lock that nobody holds any more; `maintenance`: git's own tools fail.
 */
export type TroubleKind = 'repository' | 'object' | 'history' | 'lock' | 'maintenance'

export interface Trouble {
  kind: TroubleKind
  /** Which of that kind, where there can be several: an oid, a ref, a file. */
  subject?: string
  /** One sentence. */
  what: string
  /** What an operator does about it; without one, the kind's own. */
  remedy?: string
}

export interface NotedTrouble extends Required<Trouble> {
  siteId: string
  slug: string
  /** When it was first reported. */
  since: Date
}

export const REMEDIES: Readonly<Record<TroubleKind, string>> = {
  repository: 'docs/repair.md says how each part is mended; if its files cannot be read, "Access".',
  object: 'Fetch the object from a clone or a backup: docs/repair.md, "Objects".',
  history: 'Put back what is missing, then delete the ref: docs/repair.md, "Lost history".',
  lock: 'Remove the file once no git process works on the repository.',
  maintenance: 'Run palimpsest maintain and palimpsest fsck for this site.',
}

/** A repository that is wholly damaged has more troubles than anybody reads. */
const MOST_A_SITE = 20

export interface TroublesOptions {
  clock: Clock
  /** Told once for each trouble, when it is new. */
  onNew?: (trouble: NotedTrouble) => void
}

export class Troubles {
  readonly #clock: Clock
  readonly #onNew: (trouble: NotedTrouble) => void
  /** By site id, then by kind and subject. */
  readonly #bySite = new Map<string, Map<string, NotedTrouble>>()

  constructor({ clock, onNew = () => undefined }: TroublesOptions) {
    this.#clock = clock
    this.#onNew = onNew
  }

  /** The same trouble again changes nothing but its words. */
  report({ id: siteId, slug }: SiteRef, { kind, subject = '', what, remedy = REMEDIES[kind] }: Trouble): void {
    let noted = this.#bySite.get(siteId)
    if (noted === undefined) this.#bySite.set(siteId, (noted = new Map()))
    const key = keyOf(kind, subject)
    const known = noted.get(key)
    if (known === undefined && noted.size >= MOST_A_SITE) return
    const trouble = { siteId, slug, kind, subject, what, remedy, since: known?.since ?? this.#clock() }
    noted.set(key, trouble)
    if (known === undefined) this.#onNew(trouble)
  }

  /** It is well again: that subject, or all of the kind. */
  clear(site: SiteRef, kind: TroubleKind, subject?: string): void {
    const noted = this.#bySite.get(site.id)
    if (noted === undefined) return
    for (const [key, trouble] of noted) {
      if (trouble.kind === kind && (subject === undefined || trouble.subject === subject)) noted.delete(key)
    }
    if (noted.size === 0) this.#bySite.delete(site.id)
  }

  /** The site is gone, and its troubles with it. */
  forget(site: SiteRef): void {
    this.#bySite.delete(site.id)
  }

  /** Of one site, the oldest first. */
  of(siteId: string): NotedTrouble[] {
    return [...(this.#bySite.get(siteId)?.values() ?? [])]
  }

  /** Of all sites. */
  list(): NotedTrouble[] {
    return [...this.#bySite.values()].flatMap((noted) => [...noted.values()])
  }
}

function keyOf(kind: TroubleKind, subject: string): string {
  return `${kind} ${subject}`
}
