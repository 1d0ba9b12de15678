// Reads what the sites serve, one site after the other and for ever, and names what is not what its id says: a byte that
// went wrong on the disk is found before a visitor asks for it. Slow on purpose, and slower while the service is busy.
// No read serves a damaged copy, so what is found here is already kept from everybody; and it is looked at again until it
// is mended.

import { setTimeout as delay } from 'node:timers/promises'
import type { Oid } from '../../git/objects/oid.js'
import { isOid } from '../../model/ids.js'
import type { Checker } from '../disk/checks/checker.js'
import type { Part } from '../disk/checks/served-objects.js'
import type { Troubles } from './troubles.js'
import type { SiteRef } from '../protocol/write.js'

export interface IntegrityLimits {
  /** Bytes of objects read in a second, over all sites; 0 reads nothing unasked. */
  bytesPerSecond: number
  /** Seconds after which a site is read again, at the soonest. */
  intervalSeconds: number
}

export interface IntegrityParts {
  checker: Checker
  listSites: () => Promise<readonly SiteRef[]>
  troubles: Troubles
  limits: IntegrityLimits
  /** Whether visitors need the processor. */
  isBusy: () => boolean
  /** Told what is none of the repositories' faults. */
  onError: (error: unknown) => void
}

/** For each millisecond of reading, as many of rest. */
const REST = 19
/** While the service is busy a part waits so long, but in the end it is read all the same. */
const BUSY_REST_MS = 1000
const MOST_BUSY_RESTS = 30
/** A start has other things to read first. */
const FIRST_REST_MS = 30_000
/** What was found is looked at again as often; less often where that is much to read. */
const LOOK_AGAIN_MS = 1000
const LONGEST_LOOK_REST_MS = 8000

export class Integrity {
  readonly #parts: IntegrityParts
  readonly #stop = new AbortController()
  /** By site with objects in trouble: where main was when they were looked at last. */
  readonly #heads = new Map<string, Oid>()
  #running: Promise<unknown> | undefined

  constructor(parts: IntegrityParts) {
    this.#parts = parts
  }

  start(): void {
    const { bytesPerSecond, intervalSeconds } = this.#parts.limits
    this.#running ??= Promise.all([
      bytesPerSecond > 0 && this.#forEver(Math.min(FIRST_REST_MS, intervalSeconds * 1000), () => this.#goRound()),
      this.#forEver(LOOK_AGAIN_MS, () => this.#lookAgain()),
    ])
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#parts.checker.close()
    await this.#running
  }

  /** Until it is stopped, whatever the work meets. The work says how long to rest after it. */
  async #forEver(firstRest: number, work: () => Promise<number>): Promise<void> {
    let rest = firstRest
    while (!this.#stop.signal.aborted) {
      try {
        await this.#rest(rest)
        rest = await work()
      } catch (error) {
        rest = LONGEST_LOOK_REST_MS
        if (!this.#stop.signal.aborted) this.#parts.onError(error)
      }
    }
  }

  async #rest(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal: this.#stop.signal, ref: false })
  }

  /** All sites once. After a restart it begins anywhere, so that the last ones have their turn too. */
  async #goRound(): Promise<number> {
    const began = performance.now()
    const sites = await this.#parts.listSites()
    const first = Math.floor(Math.random() * sites.length)
    for (const site of [...sites.slice(first), ...sites.slice(0, first)]) await this.#checkSite(site)
    return Math.max(0, this.#parts.limits.intervalSeconds * 1000 - (performance.now() - began))
  }

  async #checkSite(site: SiteRef): Promise<void> {
    for (let isOver = false; !isOver; ) {
      for (let rests = 0; rests < MOST_BUSY_RESTS && this.#parts.isBusy(); rests++) await this.#rest(BUSY_REST_MS)
      const began = performance.now()
      const part = await this.#parts.checker.checkPart(site)
      this.#report(site, part)
      isOver = part.isOver
      const atRate = (part.bytes / this.#parts.limits.bytesPerSecond) * 1000
      await this.#rest(Math.max(atRate, REST * (performance.now() - began)))
    }
  }

  /** Whether objects in trouble, whoever met it, are well again. */
  async #lookAgain(): Promise<number> {
    const { troubles } = this.#parts
    const began = performance.now()
    const noted = troubles.list().filter(({ kind, subject }) => kind === 'object' && isOid(subject))
    for (const [id, { slug }] of new Map(noted.map((trouble) => [trouble.siteId, trouble]))) {
      const site = { id, slug }
      const oids = noted.filter(({ siteId }) => siteId === id).map(({ subject }) => subject)
      const { damaged, head, isRewritten } = await this.#parts.checker.checkObjects(site, oids, this.#heads.get(id))
      if (head !== undefined) this.#heads.set(id, head)
      // Behind another history they may not be needed: if they are, somebody meets them again.
      for (const oid of oids) if (isRewritten || !damaged.includes(oid)) troubles.clear(site, 'object', oid)
    }
    for (const id of this.#heads.keys()) if (!noted.some(({ siteId }) => siteId === id)) this.#heads.delete(id)
    return Math.min(Math.max(LOOK_AGAIN_MS, REST * (performance.now() - began)), LONGEST_LOOK_REST_MS)
  }

  #report(site: SiteRef, { damages }: Part): void {
    for (const { oid, what } of damages) this.#parts.troubles.report(site, { kind: 'object', subject: oid, what })
  }
}

/** Whether the thread that serves was at work for most of the time since it was last asked. */
export function watchLoad(): () => boolean {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization > 0.5
  }
}
