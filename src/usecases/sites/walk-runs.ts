// Walks through the runs of one maker in one site, newest first.

import { MAX_RUN_COMMITS } from '../../../schemas/agents.js'
import type { MadeCommit } from '../../index/maker-queries.js'
import type { SiteIndex } from '../../index/site-index.js'
import { MAKER_TRAILERS } from '../../model/commits/maker.js'
import type { Site } from '../../catalog/site.js'
import type { AtSite, Reading } from '../context/call.js'

/** A longer pause begins another run. */
const MAX_PAUSE_SECONDS = 30 * 60
/** Commits that are read at once. */
const PIECE = 50
/** More commits of one run are not looked at: a run that never pauses is cut. */
const MAX_WALKED = 2_000

const PROGRAMS = [MAKER_TRAILERS.agent, MAKER_TRAILERS.key, MAKER_TRAILERS.token].map((trailer) => `${trailer}: `)

/** Whether the maker is no person, and not the operator. */
export function isProgram(maker: string): boolean {
  return PROGRAMS.some((begin) => maker.startsWith(begin))
}

export interface Run {
  site: Site
  maker: string
  newest: string
  /** Seconds. */
  endedAt: number
  startedAt: number
  /** The newest ones, newest first. */
  commits: string[]
  commitCount: number
}

/** The newest commit of a run. */
export interface RunHead {
  oid: string
  position: number
  /** Seconds. */
  time: number
}

export class MakerWalk {
  readonly site: Site
  readonly #call: AtSite<Reading>
  readonly #maker: string
  #next: RunHead | undefined

  constructor(call: AtSite<Reading>, maker: string) {
    this.site = call.site
    this.#call = call
    this.#maker = maker
    this.#goBefore(Number.MAX_SAFE_INTEGER)
  }

  /** The newest commit of the run at which the walk stands; undefined at the end. */
  get next(): RunHead | undefined {
    return this.#next
  }

  /** Goes to the first run that ended by then, and that comes after others. A run that reaches beyond is left out. */
  startAfter(time: number, isAfter: (head: RunHead) => boolean): void {
    this.#goBefore(this.#startBefore(time))
    while (this.#next !== undefined && !isAfter(this.#next)) this.take()
  }

  /** Returns the run, and goes to the next one. */
  take(): Run {
    const head = this.#next
    if (head === undefined) throw new Error('the walk has ended')
    const run = { site: this.site, maker: this.#maker, newest: head.oid, endedAt: head.time, startedAt: head.time }
    const commits: string[] = []
    let commitCount = 0
    let position = head.position + 1
    for (const commit of this.#walk(position)) {
      if (run.startedAt - commit.time > MAX_PAUSE_SECONDS || commitCount === MAX_WALKED) break
      run.startedAt = Math.min(run.startedAt, commit.time)
      commitCount += 1
      if (commits.length < MAX_RUN_COMMITS) commits.push(commit.oid)
      ;({ position } = commit)
    }
    this.#goBefore(position)
    return { ...run, commits, commitCount }
  }

  #startBefore(time: number): number {
    const start = this.#ask((index) => index.makers.positionAfter(time))
    const above = this.#ask((index) => index.makers.firstFrom(this.#maker, start))
    if (above === undefined) return start
    let later = this.#timed(above)
    let lowest = start
    for (const commit of this.#walk(start)) {
      if (later.time - commit.time > MAX_PAUSE_SECONDS) break
      later = commit
      lowest = commit.position
    }
    return lowest
  }

  #goBefore(position: number): void {
    const [head] = this.#ask((index) => index.makers.before(this.#maker, position, 1))
    this.#next = head && this.#timed(head)
  }

  *#walk(before: number): Generator<RunHead> {
    for (let position = before; ; ) {
      const piece = this.#ask((index) => index.makers.before(this.#maker, position, PIECE))
      for (const commit of piece) yield this.#timed(commit)
      const last = piece.at(-1)
      if (last === undefined || piece.length < PIECE) return
      ;({ position } = last)
    }
  }

  #timed({ oid, position, time }: MadeCommit): RunHead {
    return { oid, position, time: time ?? this.#call.store.commits.read(this.site, oid).commit.committer.time }
  }

  #ask<T>(ask: (index: SiteIndex) => T): T {
    return this.#call.indexFollower.readBehind(this.site, ask)
  }
}
