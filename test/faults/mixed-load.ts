// Clients that write all kinds of content: they publish, replace and delete pages, write records, make sites and keys, on many
// sites at once. The load remembers every acknowledged write and can read all of them again at any time.

import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Ground, inTime, type Sent } from './ground/ground.js'
import type { Report } from './program.js'

const WRITERS = 8
const PAGES_EACH = 5
const SITES = 4
const STILL_MS = 5
const REFUSED: ReadonlySet<number> = new Set([503, 507])

/** Something that a single client writes repeatedly. Its value is undefined while it does not exist. */
interface Subject {
  name: string
  write(value: string | undefined): Promise<Sent>
  read(): Promise<string | undefined>
  acknowledged: string | undefined
  /** Counts the starts and ends of its writes: odd while a write is under way. */
  changes: number
  /** Values of writes without an answer or with `outcome_unknown`: each of them may be there instead. */
  possible: (string | undefined)[]
}

/** Writes one subject after the other. */
interface Client {
  number: number
  own: readonly Subject[]
  rounds: number
}

export class MixedLoad {
  readonly #ground: Ground
  readonly #report: Report
  readonly #subjects: Subject[] = []
  readonly #sites: { slug: string; id: string }[] = []
  #clients: Client[] = []
  #collection = ''
  #isRunning = false
  #writers: Promise<void> | undefined
  /** Refusals so far because the disk was full or the service overloaded. */
  refusals = 0
  /** How many bytes a page has. */
  readonly #bytes: number

  constructor(ground: Ground, report: Report, bytes = 100) {
    this.#ground = ground
    this.#report = report
    this.#bytes = bytes
  }

  /** Makes the sites and the collection that the clients share. */
  async prepare(): Promise<void> {
    for (let i = 0; i < SITES; i++) {
      const { body } = await this.#ground.api
        .post('/sites')
        .send({ slug: `site-${i}` })
        .expect(201)
      this.#sites.push((body as { data: { slug: string; id: string } }).data)
    }
    const { body } = await this.#ground.api.post('/collections').send({ name: 'things' }).expect(201)
    this.#collection = (body as { data: { id: string } }).data.id
    this.#clients = Array.from({ length: WRITERS }, (_, number) => ({
      number,
      own: [...Array.from({ length: PAGES_EACH }, (_unused, i) => this.#page(number, i)), this.#record()],
      rounds: 0,
    }))
  }

  /** Starts the clients, or continues them where they stopped. */
  start(): void {
    this.#isRunning = true
    this.#writers = Promise.all(this.#clients.map((client) => this.#write(client))).then(() => undefined)
  }

  /** Writes without an answer by now count as unacknowledged. Resolves when every client has stopped. */
  async stop(): Promise<void> {
    this.#isRunning = false
    await this.#writers
  }

  /** Reads everything that was acknowledged. */
  async verify(): Promise<void> {
    for (const subject of this.#subjects) {
      const found = await readStill(subject).catch((error: unknown) => `${String(error)},`)
      const { name, acknowledged, possible } = subject
      if (found === acknowledged || possible.includes(found)) continue
      this.#report.lose(`${name}: ${found?.slice(0, 80)} instead of ${acknowledged?.slice(0, 80)}`)
    }
  }

  async #write(client: Client): Promise<void> {
    const { number, own } = client
    for (; this.#isRunning; client.rounds++) {
      const { rounds } = client
      // Each site and key can be made only once.
      if (rounds % 20 === 19) await this.#change(this.#site(`new-${number}-${rounds}`), 'made')
      else if (rounds % 20 === 9) await this.#change(this.#key(`key ${number} ${rounds}`), 'made')
      else {
        const subject = own[Math.floor(Math.random() * own.length)]
        if (subject !== undefined) await this.#change(subject, this.#nextValue(subject, `${number}.${rounds}`))
      }
    }
  }

  /** Deletes an existing subject one time in five. */
  #nextValue({ acknowledged, possible }: Subject, name: string): string | undefined {
    if (acknowledged !== undefined && possible.length === 0 && Math.random() < 0.2) return undefined
    return `${name} ${randomUUID().repeat(Math.ceil(this.#bytes / 36))}`
  }

  async #change(subject: Subject, value: string | undefined): Promise<void> {
    if (!this.#subjects.includes(subject)) this.#subjects.push(subject)
    subject.changes++
    const sent = await subject.write(value).catch(() => undefined)
    subject.changes++
    if (sent !== undefined && sent.status < 300 && this.#isRunning) {
      subject.acknowledged = value
      subject.possible = []
      return this.#report.acknowledge()
    }
    if (sent === undefined || sent.status < 300 || sent.body.error?.code === 'outcome_unknown')
      subject.possible.push(value)
    // An earlier attempt of unknown outcome may have succeeded.
    const isTwice = subject.possible.length > 0 && (sent?.status === 404 || sent?.status === 409)
    // After the stop the disk or process may be gone, so refusals are not judged.
    if (sent === undefined || sent.status < 300 || isTwice || !this.#isRunning) return
    if (REFUSED.has(sent.status)) this.refusals++
    else this.#report.violate(`${subject.name}: ${sent.status} ${JSON.stringify(sent.body)}`)
  }

  #page(writer: number, i: number): Subject {
    const site = this.#sites[(writer + i) % this.#sites.length] ?? { slug: '', id: '' }
    const path = `/page-${writer}-${i}`
    const api = () => this.#ground.api
    const pageId = async () => {
      const { body } = await api().get(`/pages?path=${path}`).set('x-service-site-id', site.id).expect(200)
      return (body as { data: { id: string }[] }).data[0]?.id ?? ''
    }
    return {
      name: `${site.slug}${path}`,
      write: async (value) =>
        value === undefined
          ? inTime(
              api()
                .delete(`/pages/${await pageId()}`)
                .set('x-service-site-id', site.id),
            )
          : inTime(api().put(`/pages?path=${path}`).set('x-service-site-id', site.id).type('html').send(value)),
      read: () => this.#ground.visit(path, site.slug),
      acknowledged: undefined,
      changes: 0,
      possible: [],
    }
  }

  /** After a deletion the record is made again under another id. */
  #record(): Subject {
    const records = `/collections/${this.#collection}/records`
    let id = ''
    return {
      name: `a record of ${records}`,
      write: async (said) => {
        const { api } = this.#ground
        const send =
          id === ''
            ? api.post(records)
            : said === undefined
              ? api.delete(`${records}/${id}`)
              : api.put(`${records}/${id}`)
        const sent: Sent = await inTime(said === undefined ? send : send.send({ data: { said } }))
        if (sent.status === 201) id = (sent.body.data as { id: string }).id
        if (sent.status === 404 || (sent.status < 300 && said === undefined)) id = ''
        return sent
      },
      read: async () => {
        if (id === '') return undefined
        const { body } = await inTime(this.#ground.api.get(`${records}/${id}`))
        return (body as { data?: { data: { said: string } } }).data?.data.said
      },
      acknowledged: undefined,
      changes: 0,
      possible: [],
    }
  }

  #site(slug: string): Subject {
    return {
      name: `site ${slug}`,
      write: () => inTime(this.#ground.api.post('/sites').send({ slug })),
      read: async () => {
        const { body } = await inTime(this.#ground.api.get('/sites?limit=1000').expect(200))
        return (body as { data: { slug: string }[] }).data.some((site) => site.slug === slug) ? 'made' : undefined
      },
      acknowledged: undefined,
      changes: 0,
      possible: [],
    }
  }

  #key(label: string): Subject {
    let key = ''
    return {
      name: label,
      write: async () => {
        const sent: Sent = await inTime(this.#ground.api.post('/keys').send({ label }))
        key = (sent.body.data as { key?: string } | undefined)?.key ?? ''
        return sent
      },
      read: async () => {
        const { status, body } = await inTime(this.#ground.apiWith(key).get('/me'))
        if (status !== 200 && status !== 401) throw new Error(`GET /me: ${status} ${JSON.stringify(body)}`)
        return status === 200 ? 'made' : undefined
      },
      acknowledged: undefined,
      changes: 0,
      possible: [],
    }
  }
}

/** Reads while no write is under way: during a write both values would be correct. */
async function readStill(subject: Subject): Promise<string | undefined> {
  for (;;) {
    const { changes } = subject
    const found = await subject.read()
    if (changes === subject.changes && changes % 2 === 0) return found
    await pause(STILL_MS)
  }
}
