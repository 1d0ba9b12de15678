// Clients that write all kinds of content: they publish, replace and delete pages, send batches, roll back, write records, propose pages and
// publish them, make and delete sites, and make keys, on many sites at once. The load remembers every acknowledged write and can read all
// of them again at any time.

import { randomUUID } from 'node:crypto'
import type { Ground } from '../ground/ground.js'
import type { Report } from '../program.js'
import { PushedPage } from './pushed-page.js'
import { draft, publishedTwins } from './request-subjects.js'
import { ReadRefused, readStill, type Subject, type Value, type Way } from './subject.js'
import {
  deployed,
  key,
  type LoadSite,
  page,
  postedRecord,
  pushedOverHttp,
  record,
  rolledBack,
  site,
  twins,
} from './subjects.js'

const WRITERS = 8
const PAGES_EACH = 5
const SITES = 4
const REFUSED: ReadonlySet<number> = new Set([503, 507])

/** Writes one subject after the other. */
interface Client {
  number: number
  own: readonly Subject[]
  rounds: number
  /** The site that it made last, and may delete. */
  made?: Subject
}

export interface MixedLoadOptions {
  /** Bytes of a page. */
  bytes?: number
  /** Whether folders are pushed and deployed at the same time. */
  hasFolders?: boolean
}

export class MixedLoad {
  readonly #ground: Ground
  readonly #report: Report
  readonly #options: Required<MixedLoadOptions>
  readonly #subjects: Subject[] = []
  readonly #pushed: PushedPage[] = []
  #clients: Client[] = []
  #collection = ''
  #isRunning = false
  #writers: Promise<void> | undefined
  readonly #awaited = new Set<Way>()
  /** Refusals so far because the disk was full or the service overloaded. */
  refusals = 0

  constructor(ground: Ground, report: Report, { bytes = 100, hasFolders = false }: MixedLoadOptions = {}) {
    this.#ground = ground
    this.#report = report
    this.#options = { bytes, hasFolders }
  }

  /** Makes the sites and the collection that the clients share. */
  async prepare(): Promise<void> {
    const sites: LoadSite[] = []
    for (let i = 0; i < SITES; i++) {
      const { body } = await this.#ground.api
        .post('/sites')
        .send({ slug: `site-${i}` })
        .expect(201)
      sites.push((body as { data: LoadSite }).data)
    }
    const { body } = await this.#ground.api.post('/collections').send({ name: 'things' }).expect(201)
    this.#collection = (body as { data: { id: string } }).data.id
    for (let number = 0; number < WRITERS; number++) {
      const at = (i: number) => sites[(number + i) % SITES] as LoadSite
      const own = Array.from({ length: PAGES_EACH }, (_, i) => page(this.#ground, at(i), `/page-${number}-${i}`))
      own.push(record(this.#ground, this.#collection), twins(this.#ground, at(0), `/twins-${number}`))
      own.push(await rolledBack(this.#ground, at(1), `/rolled-back-${number}`))
      own.push(
        draft(this.#ground, at(2), `/draft-${number}`),
        publishedTwins(this.#ground, at(3), `/proposed-${number}`),
      )
      this.#clients.push({ number, own, rounds: 0 })
    }
    if (this.#options.hasFolders) for (const [i, each] of sites.entries()) this.#addFolders(each, i % 2 === 0)
  }

  /** Starts the clients, or continues them where they stopped. */
  start(): void {
    this.#isRunning = true
    for (const { own } of this.#clients) for (const { way } of own) if (way !== undefined) this.#awaited.add(way)
    this.#writers = Promise.all(this.#clients.map((client) => this.#write(client))).then(() => undefined)
  }

  /** Ways in which nothing was acknowledged since the start. */
  get waysWithoutWrite(): readonly Way[] {
    return [...this.#awaited]
  }

  /** Writes without an answer by now count as unacknowledged. Resolves when every client has stopped. */
  async stop(): Promise<void> {
    this.#isRunning = false
    await this.#writers
  }

  /** Sends every POST that carries an idempotency key again, and must get the answer of one that was applied. */
  async repeat(): Promise<void> {
    for (const subject of this.#subjects) {
      const sent = await subject.repeat?.()
      if (sent === undefined) continue
      if (sent.status === 201) Object.assign(subject, { acknowledged: 'made', possible: [] })
      else this.#report.violate(`${subject.name}, repeated: ${sent.status} ${JSON.stringify(sent.body)}`)
    }
  }

  /** Reads everything that was acknowledged. `isFull`: the API may answer 503 where its index needs room on the disk. */
  async verify({ isFull = false } = {}): Promise<void> {
    // The load may go on and add others.
    const subjects = [...this.#subjects]
    for (const subject of subjects) {
      const found = await readStill(subject).catch((error: unknown) =>
        error instanceof ReadRefused ? error : `${String(error)},`,
      )
      if (found instanceof ReadRefused && isFull) continue
      const { name, acknowledged, possible } = subject
      if (found === acknowledged || (typeof found !== 'object' && possible.includes(found))) continue
      this.#report.lose(`${name}: ${String(found).slice(0, 80)} instead of ${acknowledged?.slice(0, 80)}`)
    }
  }

  /** Removes the clones of the operators. */
  end(): void {
    for (const pushed of this.#pushed) pushed.remove()
  }

  /** Adds a client that deploys, and one that pushes: beside pushes by path, those over HTTP would hardly land. */
  #addFolders(each: LoadSite, byPath: boolean): void {
    const own = [deployed(this.#ground, each), byPath ? this.#pushedByPath(each) : pushedOverHttp(this.#ground, each)]
    for (const subject of own) this.#clients.push({ number: this.#clients.length, own: [subject], rounds: 0 })
  }

  #pushedByPath({ slug }: LoadSite): Subject {
    const pushed = new PushedPage(this.#ground, slug, `pushed-${slug}`)
    this.#pushed.push(pushed)
    return pushed.subject
  }

  async #write(client: Client): Promise<void> {
    for (; this.#isRunning; client.rounds++) {
      const subject = this.#next(client)
      const current = { value: subject.acknowledged, isCertain: subject.possible.length === 0 }
      const unique = randomUUID().repeat(Math.ceil(this.#options.bytes / 36))
      await this.#change(subject, subject.next(current, `${client.number}.${client.rounds} ${unique}`))
    }
  }

  /** Mostly a subject that the client writes again and again; from time to time one that is made once. */
  #next(client: Client): Subject {
    const { number, rounds, own, made } = client
    const any = own[Math.floor(Math.random() * own.length)] as Subject
    if (own.length === 1) return any
    switch (rounds % 20) {
      case 4:
        return postedRecord(this.#ground, this.#collection, `posted-${number}-${rounds}`)
      case 9:
        return key(this.#ground, `key ${number} ${rounds}`)
      case 14:
        delete client.made
        return made ?? any
      case 19: {
        const onHang = (what: string) => this.#report.violate(`${what} was never answered`)
        client.made = site(this.#ground, `new-${number}-${rounds}`, onHang)
        return client.made
      }
      default:
        return any
    }
  }

  async #change(subject: Subject, value: Value): Promise<void> {
    if (!this.#subjects.includes(subject)) this.#subjects.push(subject)
    subject.changes++
    // A subject may throw before there is a promise: a service that is started again has no address.
    const sent = await (async () => subject.write(value))().catch((error: unknown) => {
      if (this.#isRunning && /no answer/.test(String(error))) this.#report.violate(`${subject.name}: ${String(error)}`)
      return undefined
    })
    subject.changes++
    if (sent !== undefined && sent.status < 300 && this.#isRunning) {
      subject.acknowledged = value
      subject.possible = []
      if (subject.way !== undefined) this.#awaited.delete(subject.way)
      return this.#report.acknowledge(1, subject.way)
    }
    const isUnknown = sent === undefined || sent.status < 300 || sent.body.error?.code === 'outcome_unknown'
    if (isUnknown) subject.possible.push(value)
    // An earlier attempt of unknown outcome may have succeeded.
    const isTwice = subject.possible.length > 0 && (sent?.status === 404 || sent?.status === 409)
    // After the stop the disk or process may be gone, so refusals are not judged.
    if (sent === undefined || sent.status < 300 || isTwice || !this.#isRunning) return
    if (REFUSED.has(sent.status)) this.refusals++
    else this.#report.violate(`${subject.name}: ${sent.status} ${JSON.stringify(sent.body)}`)
  }
}
