// Lets a push win on a busy site. git refuses a push if main moves after git has read it, so a fair lock cannot help. Instead the
// service does not move main while git is seen at work in the repository. Signs of git are its processes, the access time of `config`
// if the disk keeps one, and the quarantine folder of an incoming push. For pushes over HTTP the service itself calls this class.
// After a refused push main holds still for longer.

import { readdirSync, statSync, utimesSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isGcLocked } from '../../git/disk/gc-lock.js'
import { gitProcessesAt } from '../../git/disk/git-processes.js'

/** The time that main holds still after git was last seen: enough for a pull, a rebase and the start of a push. */
const HOLD_MS = 400
/**
 * The longest hold. Then main may move for half as long, so that writers always have a third of the time.
 * A larger share for writers would make operators retry in vain for too long.
 */
const MAX_HOLD_MS = 1200
/** The longest hold for pushes over HTTP, which come one at a time and end their hold when they land. */
const MAX_EXPECTED_HOLD_MS = 3000
/** Each refused push doubles both times, at most this often: on an overloaded machine a pull and a push take longer. */
const MAX_DOUBLINGS = 2
/** After this long without a sign of git, both times are reset. */
const FORGET_MS = 30_000
/** A site is busy if it made this many batches within BUSY_WINDOW_MS: only then could a push starve. */
const BUSY_BATCHES = 2
const BUSY_WINDOW_MS = 1000
/** git-receive-pack keeps incoming objects here until its hooks agree (git-receive-pack, "Quarantine environment"). */
const QUARANTINE = /^(?:tmp_objdir-)?incoming-/
/** A push that ended badly may leave its folder behind. */
const QUARANTINE_AGE_MS = 10_000
/** A folder that changed within this time may change again and keep its modification time. */
const SETTLED_MS = 100

/** Monotonic milliseconds. */
interface Hold {
  since: number
  until: number
}

export class OperatorPause {
  readonly #gitdir: string
  readonly #config: string
  readonly #name: string
  #batches: number[] = []
  #hold: Hold | undefined
  #freeUntil = 0
  /** The time when git was last seen; -Infinity for never. */
  #seenAt = Number.NEGATIVE_INFINITY
  #isMarked = false
  /** Whether a gc or a maintenance ran at the last look: its reads are no sign of a push. */
  #wasGcLocked = false
  /** The modification time of `objects/` when it was settled and held no push. While it stays the same, no push is coming in. */
  #emptySince: number | undefined
  /** The number of git processes at the last look. */
  #processes = 0
  /** Whether a push was seen that has not landed yet. */
  #isPushOpen = false
  /** Pushes that were refused since the last one landed, at most MAX_DOUBLINGS. */
  #refusals = 0

  constructor(gitdir: string) {
    this.#gitdir = gitdir
    this.#config = join(gitdir, 'config')
    this.#name = basename(gitdir, '.git')
  }

  /** Returns the milliseconds that the next batch should wait; 0 for none. `now` is a monotonic time in milliseconds. */
  holdFor(now: number): number {
    if (this.#hold !== undefined) {
      if (now < this.#hold.until) return this.#hold.until - now
      if (now - this.#hold.since < this.#scale(MAX_HOLD_MS) && this.#look(now)) return this.#extend(this.#hold, now)
      this.#endHold(this.#hold, now)
    }
    // A process that is seen while main must be free to move counts as soon as that time is over.
    this.#look(now)
    this.#batches.push(now)
    if (!this.#isBusy(now) || now < this.#freeUntil || now - this.#seenAt > this.#scale(HOLD_MS)) return 0
    this.#hold = { since: now, until: now }
    return this.#extend(this.#hold, now)
  }

  /**
   * Records that a client was told the head in order to push over HTTP, or is sending a push. Returns in how many milliseconds main
   * starts to hold still for it; 0 means now, or a site without other writers.
   */
  expectPush(now: number, isComingIn: boolean): number {
    this.#seenAt = now
    if (isComingIn) this.#isPushOpen = true
    const hold = this.#hold
    if (hold !== undefined && now - hold.since >= MAX_EXPECTED_HOLD_MS) this.#endHold(hold, now)
    if (this.#hold === undefined) {
      if (now < this.#freeUntil) return this.#freeUntil - now
      if (!this.#isBusy(now)) return 0
      this.#hold = { since: now, until: now }
    }
    this.#extend(this.#hold, now, MAX_EXPECTED_HOLD_MS)
    return 0
  }

  /** Ends the hold after a push over HTTP moved main, so that waiting writers go on. */
  endPush(now: number): void {
    this.pushLanded()
    if (this.#hold !== undefined) this.#endHold(this.#hold, now)
  }

  /** Forgets the signs of a push that moved main: they are no signs of another one. */
  pushLanded(): void {
    // Resets the mark.
    this.#wasRead()
    this.#seenAt = Number.NEGATIVE_INFINITY
    this.#forgetPush()
  }

  #forgetPush(): void {
    this.#isPushOpen = false
    this.#refusals = 0
  }

  #scale(milliseconds: number): number {
    return milliseconds * 2 ** this.#refusals
  }

  #extend(hold: Hold, now: number, maxMs = this.#scale(MAX_HOLD_MS)): number {
    hold.until = Math.max(hold.until, Math.min(now + this.#scale(HOLD_MS), hold.since + maxMs))
    return hold.until - now
  }

  /** Ends the hold. The next batch reads main and learns whether the push landed: `pushLanded` then takes the refusal back. */
  #endHold(hold: Hold, now: number): void {
    this.#freeUntil = now + (now - hold.since) / 2
    this.#hold = undefined
    if (this.#isPushOpen) this.#refusals = Math.min(this.#refusals + 1, MAX_DOUBLINGS)
    this.#isPushOpen = false
  }

  #isBusy(now: number): boolean {
    this.#batches = this.#batches.filter((at) => now - at < BUSY_WINDOW_MS)
    return this.#batches.length >= BUSY_BATCHES
  }

  /** Whether git was at work since the last look. */
  #look(now: number): boolean {
    if (now - this.#seenAt > FORGET_MS) this.#forgetPush()
    const wasRead = this.#wasReadByPusher()
    const isPushComingIn = this.#isPushComingIn()
    const processes = this.#batches.length >= BUSY_BATCHES ? gitProcessesAt(this.#name) : undefined
    const isNewProcess = processes !== undefined && processes.count > this.#processes
    this.#processes = processes?.count ?? this.#processes
    if (isPushComingIn || (isNewProcess && processes.isPush)) this.#isPushOpen = true
    const isSeen = wasRead || isPushComingIn || isNewProcess
    if (isSeen) this.#seenAt = now
    return isSeen
  }

  #wasReadByPusher(): boolean {
    const isLocked = isGcLocked(this.#gitdir)
    const wasRead = this.#wasRead() && !isLocked && !this.#wasGcLocked
    this.#wasGcLocked = isLocked
    return wasRead
  }

  /**
   * Whether a program read the file since the last look. The mark is an access time before the modification time: `relatime` disks
   * update that one too.
   */
  #wasRead(): boolean {
    try {
      const { atimeMs, mtime, mtimeMs } = statSync(this.#config)
      const read = this.#isMarked && atimeMs >= mtimeMs
      if (!this.#isMarked || read) utimesSync(this.#config, new Date(mtimeMs - 2000), mtime)
      this.#isMarked = true
      return read
    } catch {
      return false
    }
  }

  /** Looks for a quarantine in `objects/`, which has up to 258 names: they are listed only if the folder has changed. */
  #isPushComingIn(): boolean {
    try {
      const objects = join(this.#gitdir, 'objects')
      const { mtimeMs } = statSync(objects)
      if (mtimeMs === this.#emptySince) return false
      const now = Date.now()
      const pushes = readdirSync(objects).filter((name) => QUARANTINE.test(name))
      this.#emptySince = pushes.length === 0 && now - mtimeMs > SETTLED_MS ? mtimeMs : undefined
      return pushes.some((name) => now - statSync(join(objects, name)).mtimeMs < QUARANTINE_AGE_MS)
    } catch {
      // The folder has gone since it was listed: that push has ended.
      return false
    }
  }
}
