// Compares the served objects of all sites, and those of their change requests, with their ids, one after the other, over and over. So a
// damaged object is reported before a visitor asks for it. It is slow on purpose, and slower while the service is busy. Readers never serve a damaged object;
// the report is cleared once the object is repaired.

import { setTimeout as delay } from 'node:timers/promises'
import type { Checker } from '../disk/checks/checker.js'
import type { Part } from '../disk/checks/served-objects.js'
import { draftsOf, placeOf } from '../protocol/site-place.js'
import { damagedObjectIn, subjectIn } from '../protocol/trouble.js'
import type { SiteRef } from '../protocol/write.js'
import type { NotedTrouble, Troubles } from './troubles.js'

export interface IntegrityLimits {
  /** Bytes of objects read per second, over all sites; with 0 only reported objects are checked again. */
  bytesPerSecond: number
  /** The minimum seconds between the starts of two rounds over all sites. */
  intervalSeconds: number
}

export interface IntegrityParts {
  checker: Checker
  listSites: () => Promise<readonly SiteRef[]>
  troubles: Troubles
  limits: IntegrityLimits
  /** Whether visitors need the processor. */
  isBusy: () => boolean
  /** Takes errors that no repository caused. */
  onError: (error: unknown) => void
}

/** Milliseconds of rest for each millisecond of reading. */
const IDLE_RATIO = 19
/** While the service is busy, a part waits this long and at most this often before it is read. */
const BUSY_REST_MS = 1000
const MAX_BUSY_RESTS = 30
/** After its start the service reads other files first. */
const FIRST_REST_MS = 30_000
/** The pause between two checks of reported objects; longer if there is much to read. */
const RECHECK_MS = 1000
const MAX_RECHECK_MS = 8000

export class Integrity {
  readonly #parts: IntegrityParts
  readonly #stop = new AbortController()
  /** The refs at the last check of damaged objects, by their place. */
  readonly #refs = new Map<string, string>()
  #running: Promise<unknown> | undefined

  constructor(parts: IntegrityParts) {
    this.#parts = parts
  }

  start(): void {
    const { bytesPerSecond, intervalSeconds } = this.#parts.limits
    this.#running ??= Promise.all([
      bytesPerSecond > 0 && this.#forEver(Math.min(FIRST_REST_MS, intervalSeconds * 1000), () => this.#goRound()),
      this.#forEver(RECHECK_MS, () => this.#recheckReported()),
    ])
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#parts.checker.close()
    await this.#running
  }

  /** Repeats the work until the end, also after an error. The work returns the milliseconds to rest after it. */
  async #forEver(firstRest: number, work: () => Promise<number>): Promise<void> {
    let rest = firstRest
    while (!this.#stop.signal.aborted) {
      try {
        await this.#rest(rest)
        rest = await work()
      } catch (error) {
        rest = MAX_RECHECK_MS
        if (!this.#stop.signal.aborted) this.#parts.onError(error)
      }
    }
  }

  async #rest(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal: this.#stop.signal, ref: false })
  }

  /** Reads all sites once. Begins at a random one, so that frequent restarts leave none out. */
  async #goRound(): Promise<number> {
    const began = performance.now()
    const sites = await this.#parts.listSites()
    const first = Math.floor(Math.random() * sites.length)
    for (const site of [...sites.slice(first), ...sites.slice(0, first)])
      for (const place of [site, draftsOf(site)]) await this.#check(place)
    return Math.max(0, this.#parts.limits.intervalSeconds * 1000 - (performance.now() - began))
  }

  async #check(site: SiteRef): Promise<void> {
    for (let isOver = false; !isOver; ) {
      for (let rests = 0; rests < MAX_BUSY_RESTS && this.#parts.isBusy(); rests++) await this.#rest(BUSY_REST_MS)
      const began = performance.now()
      const part = await this.#parts.checker.checkPart(site)
      this.#report(site, part)
      isOver = part.isOver
      const atRate = (part.bytes / this.#parts.limits.bytesPerSecond) * 1000
      await this.#rest(Math.max(atRate, IDLE_RATIO * (performance.now() - began)))
    }
  }

  /** Checks reported objects again, and clears the reports of repaired ones. */
  async #recheckReported(): Promise<number> {
    const { troubles } = this.#parts
    const began = performance.now()
    const noted = new Map(troubles.list().flatMap(placesIn))
    for (const [place, site] of noted) {
      const oids = troubles.of(site.id).flatMap((trouble) => objectsIn(trouble, site))
      const { damaged, refs, isRewritten } = await this.#parts.checker.checkObjects(site, oids, this.#refs.get(place))
      if (refs !== undefined) this.#refs.set(place, refs)
      // After a rewrite of the history the objects may not be needed. If they are, the next read reports them again.
      for (const oid of oids)
        if (isRewritten || !damaged.includes(oid)) troubles.clear(site, 'object', subjectIn(site, oid))
    }
    for (const place of this.#refs.keys()) if (!noted.has(place)) this.#refs.delete(place)
    return Math.min(Math.max(RECHECK_MS, IDLE_RATIO * (performance.now() - began)), MAX_RECHECK_MS)
  }

  #report(site: SiteRef, { damages }: Part): void {
    for (const { oid, what } of damages) this.#parts.troubles.report(site, { kind: 'object', subject: oid, what })
  }
}

/** Returns the place of a damaged object, with its key; nothing for other troubles. */
function placesIn({ siteId: id, slug, kind, subject }: NotedTrouble): [string, SiteRef][] {
  const object = kind === 'object' ? damagedObjectIn(subject) : undefined
  if (object === undefined) return []
  const site = object.isOfDrafts ? draftsOf({ id, slug }) : { id, slug }
  return [[placeOf(site), site]]
}

/** Returns the damaged object that a trouble names, if it is of that place. */
function objectsIn({ kind, subject }: NotedTrouble, { request }: SiteRef): string[] {
  const object = kind === 'object' ? damagedObjectIn(subject) : undefined
  return object?.isOfDrafts === (request !== undefined) ? [object.oid] : []
}

/** Returns a function that tells whether the serving thread was busy for most of the time since its last call. */
export function watchLoad(): () => boolean {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization > 0.5
  }
}
