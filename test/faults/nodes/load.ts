// What clients do while nodes fail, and what must be true of it afterwards: every acknowledged write is on every node, once, and no
// read was older than an acknowledgement.

import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { git } from '../../support/git.js'
import type { Report } from '../program.js'
import type { FaultNode } from './node.js'
import { Pusher } from './pusher.js'

const LOAD_MS = 12_000
const CLIENTS_OF_A_NODE = 6
/** A node goes on within this time after a fault is over. */
const RECOVERY_MS = 30_000

export interface LoadedSite {
  id: string
  slug: string
}

/** A read that began when `seen` commits of the site were acknowledged. */
interface Read {
  site: number
  seen: number
  head: string
}

export class Load {
  readonly #nodes: readonly FaultNode[]
  readonly #key: string
  readonly #sites: readonly LoadedSite[]
  readonly #collection: string
  readonly #report: Report
  readonly #pusher: Pusher
  /** By site, in the order of the acknowledgements. */
  readonly #acknowledged: string[][]
  readonly #reads: Read[] = []
  /** Records that were sent to two nodes with one idempotency key; true once a node has acknowledged one. */
  readonly #twice = new Map<string, boolean>()
  #pages = 0

  /** The nodes may become more. The collection is one of the first site. */
  constructor(
    nodes: readonly FaultNode[],
    key: string,
    sites: readonly LoadedSite[],
    collection: string,
    report: Report,
  ) {
    this.#nodes = nodes
    this.#key = key
    this.#sites = sites
    this.#collection = collection
    this.#report = report
    this.#pusher = new Pusher(sites[0]?.slug ?? '', key)
    this.#acknowledged = sites.map(() => [])
  }

  /** A refusal is no fault; a write of which nobody knows may be there or not. */
  async run(): Promise<void> {
    const end = performance.now() + LOAD_MS
    const client = async (first: number) => {
      for (let i = first; performance.now() < end; i++) {
        const node = this.#nodes[(first + i) % this.#nodes.length]
        const isDone = node !== undefined && (await this.#act(node, i).catch(() => false))
        if (!isDone) await pause(50)
      }
    }
    const pusher = async () => {
      for (let i = 0; performance.now() < end; i++) await this.#push(i)
    }
    const clients = Array.from({ length: this.#nodes.length * CLIENTS_OF_A_NODE }, (_, i) => client(i))
    await Promise.all([...clients, pusher()])
  }

  remove(): void {
    this.#pusher.remove()
  }

  async #act(node: FaultNode, i: number): Promise<boolean> {
    if (i % 10 === 9) return await this.#writeTwice(i)
    return i % 2 === 0 ? await this.#publish(node, (i / 2) % this.#sites.length) : await this.#read(node, i)
  }

  async #publish(node: FaultNode, site: number): Promise<boolean> {
    const path = `/page-${this.#pages++}`
    const fields = { 'x-service-site-id': this.#sites[site]?.id }
    const { status, body } = await node.ask(this.#key, 'POST', '/pages', { path, html: `<p>${path}` }, fields)
    if (status !== 201) return this.#isRefusal('POST /pages', status, body)
    this.#acknowledge(site, body.data.version.id)
    return true
  }

  async #read(node: FaultNode, i: number): Promise<boolean> {
    const site = i % this.#sites.length
    const seen = this.#acknowledged[site]?.length ?? 0
    const { status, body } = await node.ask(this.#key, 'GET', `/sites/${this.#sites[site]?.id}/commits?limit=1`)
    if (status !== 200) return this.#isRefusal('GET /commits', status, body)
    this.#reads.push({ site, seen, head: body.data[0].id })
    return true
  }

  async #writeTwice(i: number): Promise<boolean> {
    const name = randomUUID()
    const path = `/collections/${this.#collection}/records`
    this.#twice.set(name, false)
    const nodes = [0, 1].flatMap((n) => this.#nodes[(i + n) % this.#nodes.length] ?? [])
    const fields = { 'Idempotency-Key': name, 'x-service-site-id': this.#sites[0]?.id }
    const sent = nodes.map((node) =>
      node.ask(this.#key, 'POST', path, { data: { name } }, fields).catch(() => undefined),
    )
    for (const answer of await Promise.all(sent)) {
      if (answer?.status === 201) this.#twice.set(name, true)
      else if (answer !== undefined) this.#isRefusal('POST /records', answer.status, answer.body)
    }
    if (this.#twice.get(name) === true) this.#report.acknowledge()
    return this.#twice.get(name) === true
  }

  async #push(i: number): Promise<void> {
    const node = this.#nodes[i % this.#nodes.length]
    const commit = await this.#pusher.push(node ?? (this.#nodes[0] as FaultNode)).catch(() => undefined)
    if (commit === undefined) await pause(100)
    else this.#acknowledge(0, commit)
  }

  #acknowledge(site: number, commit: string): void {
    this.#acknowledged[site]?.push(commit)
    this.#report.acknowledge()
  }

  /** Always false. A fault is no reason for an answer that blames the service's own code. */
  #isRefusal(what: string, status: number, body: unknown): false {
    if (status !== 503 && status !== 409) this.#report.violate(`${what}: ${status} ${JSON.stringify(body)}`)
    return false
  }

  /** All nodes have the same history, with all that was acknowledged, in which each read comes after what was acknowledged before it. */
  async judge(): Promise<void> {
    for (const node of this.#nodes) await this.#untilItReads(node)
    for (const [number, { slug }] of this.#sites.entries()) {
      const histories = this.#nodes.map((node) => git(node.gitdir(slug), 'log', '--format=%H', '--reverse', 'main'))
      if (new Set(histories).size > 1) this.#report.violate(`the nodes have different histories of ${slug}`)
      for (const node of this.#nodes) {
        const found = git(node.gitdir(slug), 'fsck', '--full', '--strict', '--no-dangling').trim()
        if (found !== '') this.#report.violate(`git finds: ${found}`)
      }
      this.#compare(number, (histories[0] ?? '').trim().split('\n'))
    }
    this.#reads.length = 0
    this.#judgeRecords()
  }

  #compare(site: number, history: readonly string[]): void {
    const position = new Map(history.map((commit, i) => [commit, i]))
    /** The newest of the first n commits that were acknowledged. */
    const newest = [-1]
    for (const commit of this.#acknowledged[site] ?? []) {
      const at = position.get(commit)
      if (at === undefined) this.#report.lose(`${commit} of site ${site}`)
      newest.push(Math.max(newest.at(-1) ?? -1, at ?? -1))
    }
    for (const { site: of, seen, head } of this.#reads) {
      if (of !== site) continue
      const at = position.get(head)
      if (at === undefined) this.#report.violate(`a read saw ${head}, which is in no history`)
      else if (at < (newest[seen] ?? -1)) this.#report.violate(`a read saw ${head}, older than what was acknowledged`)
    }
  }

  #judgeRecords(): void {
    const gitdir = this.#nodes[0]?.gitdir(this.#sites[0]?.slug ?? '') ?? ''
    const found = git(gitdir, 'grep', '-h', '-o', '-E', '"name": *"[0-9a-f-]{36}"', 'main').matchAll(/[0-9a-f-]{36}/g)
    const counts = new Map<string, number>()
    for (const [name] of found) counts.set(name, (counts.get(name) ?? 0) + 1)
    for (const [name, isAcknowledged] of this.#twice) {
      const count = counts.get(name) ?? 0
      if (count > 1) this.#report.violate(`a request with one idempotency key was carried out ${count} times`)
      if (count === 0 && isAcknowledged) this.#report.lose(`the record ${name}`)
    }
  }

  async #untilItReads(node: FaultNode): Promise<void> {
    const isReady = async ({ id }: LoadedSite) =>
      (await node.ask(this.#key, 'GET', `/sites/${id}/commits?limit=1`)).status === 200
    for (const end = performance.now() + RECOVERY_MS; ; await pause(50)) {
      const answers = await Promise.all(this.#sites.map(isReady)).catch(() => [false])
      if (!answers.includes(false)) return
      if (performance.now() > end) throw new Error('a node does not come back')
    }
  }
}
