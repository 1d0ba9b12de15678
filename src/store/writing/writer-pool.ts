// The serving thread's side of the writer threads: a site always has the same thread, its queue is bounded,
// and a thread that dies is replaced. What it held is answered `outcome_unknown`, never as written.

import { Worker } from 'node:worker_threads'
import { ENTRIES } from '../../threads/entries.js'
import { ServiceError } from '../../model/errors.js'
import { fromFailure } from '../protocol/failure.js'
import { type Drafted, type SiteRef, sizeOf, type Write, type Written } from '../protocol/write.js'
import type {
  BatchReply,
  MaintenanceDue,
  SharedTree,
  WriterReply,
  WriterRequest,
  WriterSettings,
} from '../protocol/writer-messages.js'

export interface PoolLimits {
  writerThreads: number
  queueWrites: number
  queueBytes: number
}

export interface WriterEvents {
  maintenanceDue(site: SiteRef): void
  /** Comes before the writes that made them are answered. */
  treesMade(site: SiteRef, trees: readonly SharedTree[]): void
}

interface Pending {
  slug: string
  bytes: number
  thread: Worker
  resolve(reply: WriterReply): void
  reject(error: Error): void
}

type Unsent<T> = T extends WriterRequest ? Omit<T, 'ticket'> : never

export class WriterPool {
  readonly #settings: WriterSettings
  readonly #limits: PoolLimits
  readonly #events: WriterEvents
  #threads: (Worker | undefined)[]
  #pending = new Map<number, Pending>()
  #load = new Map<string, { writes: number; bytes: number }>()
  #owed = new WeakMap<Worker, number>()
  #lastTicket = 0
  #closing = false
  #whenIdle: (() => void) | undefined

  constructor(settings: WriterSettings, limits: PoolLimits, events: WriterEvents) {
    this.#settings = settings
    this.#events = events
    this.#limits = limits
    this.#threads = Array.from({ length: limits.writerThreads })
  }

  /** Resolves when the write is durable; rejects with the ServiceError that says what became of it. */
  async write(site: SiteRef, write: Write): Promise<Written> {
    const { operation } = write
    const bytes = sizeOf(operation)
    this.#admit(site.slug, bytes)
    const reply = await this.#ask({ type: 'write', site, write }, bytes)
    if ('written' in reply) return reply.written
    throw new Error('a writer answered a write without its result')
  }

  /** Resolves with what the write would have made; nothing is kept. */
  async draft(site: SiteRef, write: Write): Promise<Drafted> {
    const bytes = sizeOf(write.operation)
    this.#admit(site.slug, bytes)
    const reply = await this.#ask({ type: 'draft', site, write }, bytes)
    if ('drafted' in reply) return reply.drafted
    throw new Error('a writer answered a draft without its result')
  }

  async createRepository(site: SiteRef, time: number): Promise<void> {
    await this.#ask({ type: 'create', site, time }, 0)
  }

  async openRepository(site: SiteRef): Promise<void> {
    await this.#ask({ type: 'open', site }, 0)
  }

  async forget(site: SiteRef): Promise<void> {
    await this.#ask({ type: 'forget', site }, 0)
  }

  async keepLost(site: SiteRef, commit: string): Promise<void> {
    await this.#ask({ type: 'keep-lost', site, commit }, 0)
  }

  /** Takes nothing new, lets what waits be written, then ends the threads. */
  async close(): Promise<void> {
    this.#closing = true
    if (this.#pending.size > 0) await new Promise<void>((resolve) => (this.#whenIdle = resolve))
    for (const thread of this.#threads) await thread?.terminate()
  }

  #admit(slug: string, bytes: number): void {
    const load = this.#load.get(slug) ?? { writes: 0, bytes: 0 }
    if (load.writes >= this.#limits.queueWrites || (load.writes > 0 && load.bytes + bytes > this.#limits.queueBytes)) {
      throw new ServiceError('queue_full', 'Too many writes wait for this site. Try again in a second.')
    }
    this.#load.set(slug, { writes: load.writes + 1, bytes: load.bytes + bytes })
  }

  #release(slug: string, bytes: number): void {
    const load = this.#load.get(slug)
    if (load === undefined) return
    if (load.writes <= 1) this.#load.delete(slug)
    else this.#load.set(slug, { writes: load.writes - 1, bytes: load.bytes - bytes })
  }

  async #ask(request: Unsent<WriterRequest>, bytes: number): Promise<WriterReply> {
    const { slug } = request.site
    try {
      if (this.#closing) throw new ServiceError('shutting_down', 'The service is stopping. Try again in a few seconds.')
      const reply = await new Promise<WriterReply>((resolve, reject) => {
        const thread = this.#threadOf(slug)
        const ticket = ++this.#lastTicket
        this.#pending.set(ticket, { slug, bytes, thread, resolve, reject })
        this.#owe(thread, 1)
        thread.postMessage({ ...request, ticket })
      })
      if ('failure' in reply) throw fromFailure(reply.failure)
      return reply
    } finally {
      if ('write' in request) this.#release(slug, bytes)
    }
  }

  #threadOf(slug: string): Worker {
    const number = hash(slug) % this.#threads.length
    return (this.#threads[number] ??= this.#start(number))
  }

  #start(number: number): Worker {
    const thread = new Worker(ENTRIES.writerThread, { workerData: this.#settings })
    thread.on('message', (message: WriterReply | BatchReply | MaintenanceDue) => {
      if ('maintenanceDue' in message) return this.#events.maintenanceDue(message.maintenanceDue)
      if ('batch' in message) this.#events.treesMade(message.site, message.trees)
      const replies = 'batch' in message ? message.batch : [message]
      for (const reply of replies) this.#settle(reply.ticket, (pending) => pending.resolve(reply))
    })
    thread.on('error', (error) => this.#replace(number, thread, error))
    thread.on('exit', () => this.#replace(number, thread, new Error('a writer thread ended')))
    thread.unref()
    return thread
  }

  #replace(number: number, thread: Worker, cause: Error): void {
    if (this.#threads[number] === thread) this.#threads[number] = undefined
    const error = new ServiceError(
      'outcome_unknown',
      'The writer stopped before it answered. Read the page to see whether the write happened.',
    )
    for (const [ticket, pending] of this.#pending) {
      if (pending.thread === thread) this.#settle(ticket, () => pending.reject(Object.assign(error, { cause })))
    }
  }

  /** Counts the answers a thread owes: it keeps the process alive for those, and only for those. */
  #owe(thread: Worker, more: 1 | -1): void {
    const owed = (this.#owed.get(thread) ?? 0) + more
    this.#owed.set(thread, owed)
    if (owed === 0) thread.unref()
    else thread.ref()
  }

  #settle(ticket: number, answer: (pending: Pending) => void): void {
    const pending = this.#pending.get(ticket)
    if (pending === undefined) return
    this.#pending.delete(ticket)
    this.#owe(pending.thread, -1)
    answer(pending)
    if (this.#pending.size === 0) this.#whenIdle?.()
  }
}

/** FNV-1a: spreads slugs over threads, always the same way. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value >>> 0
}
