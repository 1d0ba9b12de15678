// Clients at work while nodes fail. They replace and read a few pages of some sites by the API, the tools, the hosts and `git push`,
// through all nodes, and send records to two nodes at once. All their answers become one history of each site.

import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@modelcontextprotocol/client'
import { connectHttp } from '../../protocols/mcp/clients.js'
import { git } from '../../support/git.js'
import type { WriteOperation } from '../judges/history-checker.js'
import type { Report } from '../program.js'
import type { Cluster } from './cluster.js'
import type { HotSite } from './hot-site.js'
import { type FaultNode, NodeGone } from './node.js'
import { Pusher } from './pusher.js'
import type { Attempt } from './silence.js'

const CLIENTS_OF_A_NODE = 12
/** The load goes on for at least so long after a fault is over. */
const AFTERWARDS_MS = 5000
/** A round that takes longer has failed. */
const TIME_LIMIT_MS = 600_000
/** A node goes on within this time after a fault is over. */
const RECOVERY_MS = 60_000
const TRY_AGAIN_MS = 20

type Outcome = WriteOperation['outcome']

/** The outcome of a write, and the answer that the client got. */
interface Heard {
  outcome: Outcome
  said: string
}

const ACKNOWLEDGED: Heard = { outcome: 'acknowledged', said: 'acknowledged' }

export class Load {
  readonly #nodes: readonly FaultNode[]
  readonly #key: string
  readonly sites: readonly HotSite[]
  readonly #collection: string
  readonly #report: Report
  readonly #pushers: readonly Pusher[]
  readonly #agents = new Map<string, Promise<Client>>()
  /** Records that were sent to two nodes with one idempotency key; true once a node has acknowledged one. */
  readonly #twice = new Map<string, boolean>()
  /** All writes of single clients to each node, in the order of their answers. */
  readonly attempts = new Map<FaultNode, Attempt[]>()
  acknowledged = 0
  #writes = 0

  /** The nodes may become more. The collection is one of the first site. */
  private constructor(
    nodes: readonly FaultNode[],
    key: string,
    sites: readonly HotSite[],
    collection: string,
    report: Report,
  ) {
    this.#nodes = nodes
    this.#key = key
    this.sites = sites
    this.#collection = collection
    this.#report = report
    this.#pushers = sites.map(({ slug }) => new Pusher(slug, key))
  }

  /** Prepares a load on new sites of the cluster. */
  static async prepare(cluster: Cluster, key: string, report: Report): Promise<Load> {
    const sites = await cluster.makeSites(key)
    const fields = { 'x-service-site-id': sites[0]?.id }
    const { body } = (await cluster.nodes[0]?.ask(key, 'POST', '/collections', { name: 'rows' }, fields)) ?? {}
    return new Load(cluster.nodes, key, sites, body.data.id, report)
  }

  /** Until the harm is over for a while and `writes` more were acknowledged. */
  async run(writes: number, harm: Promise<void>): Promise<void> {
    const limit = performance.now() + TIME_LIMIT_MS
    const enough = this.acknowledged + writes
    let calmSince = Infinity
    const harmed = harm.finally(() => (calmSince = performance.now()))
    const goesOn = () =>
      performance.now() < limit && (this.acknowledged < enough || performance.now() < calmSince + AFTERWARDS_MS)
    const again = async (act: (i: number) => Promise<boolean>) => {
      for (let i = 0; goesOn(); i++) if (!(await act(i))) await pause(TRY_AGAIN_MS)
    }
    // Each keeps to its node, so that a node that does not answer delays no others.
    const clients = this.#nodes.flatMap((node) =>
      Array.from({ length: CLIENTS_OF_A_NODE }, () => again(() => this.#act(node))),
    )
    await Promise.all([harmed, ...clients, again((i) => this.#push(i)), again((i) => this.#writeTwice(i))])
    if (this.acknowledged < enough) this.#report.violate(`fewer than ${writes} writes in ${TIME_LIMIT_MS} ms`)
  }

  async end(): Promise<void> {
    for (const pusher of this.#pushers) pusher.remove()
    for (const agent of this.#agents.values()) await agent.then((client) => client.close()).catch(() => undefined)
  }

  /** Whether the node did the requested work. */
  async #act(node: FaultNode): Promise<boolean> {
    const site = this.sites[Math.floor(Math.random() * this.sites.length)] as HotSite
    const pages = [...site.pages.keys()]
    const page = pages[Math.floor(Math.random() * pages.length)] ?? ''
    const what = Math.random()
    if (what < 0.6) return await this.#write(node, site, page, (id) => this.#put(node, site, page, id))
    if (what < 0.7) return await this.#write(node, site, page, (id) => this.#tell(node, site, page, id))
    return await this.#read(node, site, page, what < 0.85)
  }

  /** Writes a page. `send` returns the outcome, and rejects if it is unknown. */
  async #write(node: FaultNode, site: HotSite, page: string, send: (id: string) => Promise<Heard>): Promise<boolean> {
    const id = `w-${this.#writes++}`
    const operation: WriteOperation = {
      kind: 'write',
      id,
      page,
      invoked: performance.now(),
      returned: undefined,
      outcome: 'unknown',
    }
    site.operations.push(operation)
    const { outcome, said } = await send(id).catch((error: unknown) => failureOf(error))
    operation.outcome = outcome
    const ended = performance.now()
    if (outcome !== 'unknown') operation.returned = ended
    const isAcknowledged = outcome === 'acknowledged'
    if (isAcknowledged) this.#acknowledge()
    const attempts = this.attempts.get(node) ?? []
    this.attempts.set(node, attempts)
    attempts.push({ begun: operation.invoked, ended, isAcknowledged, said })
    return isAcknowledged
  }

  async #put(node: FaultNode, site: HotSite, page: string, id: string): Promise<Heard> {
    const answer = await node.ask(this.#key, 'PUT', `/pages?path=${page}`, id, { 'x-service-site-id': site.id })
    if (answer.status < 300) return ACKNOWLEDGED
    const said = `${answer.status} ${answer.body.error?.code}`
    if (answer.body.error?.code === 'outcome_unknown') return { outcome: 'unknown', said }
    this.#noteRefusal('PUT /pages', answer)
    return { outcome: 'refused', said }
  }

  /** Writes by a tool. */
  async #tell(node: FaultNode, site: HotSite, page: string, id: string): Promise<Heard> {
    const { origin } = node
    const agent = this.#agents.get(origin) ?? connectHttp(origin, this.#key, 'modern')
    this.#agents.set(origin, agent)
    const client = await agent.catch(() => {
      this.#agents.delete(origin)
      throw new NodeGone()
    })
    const given = { siteId: site.id, id: site.pages.get(page), html: id }
    const result = await client.callTool({ name: 'update_page', arguments: given }, { timeout: 10_000 })
    if (result.isError !== true) return ACKNOWLEDGED
    const text = JSON.stringify(result.content)
    const [unknown] = /outcome_unknown|service_slow|service_unreachable/.exec(text) ?? []
    if (unknown !== undefined) return { outcome: 'unknown', said: `tool: ${unknown}` }
    const [refused] = /storage_failed|storage_full|site_busy|service_busy/.exec(text) ?? []
    if (refused === undefined) this.#report.violate(`update_page: ${text}`)
    return { outcome: 'refused', said: `tool: ${refused ?? 'another error'}` }
  }

  async #push(i: number): Promise<boolean> {
    const node = this.#nodes[i % this.#nodes.length]
    const at = i % this.sites.length
    const [site, pusher] = [this.sites[at], this.#pushers[at]]
    if (node === undefined || site === undefined || pusher === undefined) return false
    const page = [...site.pages.keys()][i % site.pages.size] ?? ''
    return await this.#write(node, site, page, async (id) =>
      (await pusher.push(node, page.slice(1), id)) ? ACKNOWLEDGED : { outcome: 'unknown', said: 'push failed' },
    )
  }

  /** A read that is refused says nothing. */
  async #read(node: FaultNode, site: HotSite, page: string, isHosted: boolean): Promise<boolean> {
    const invoked = performance.now()
    const fields = { 'x-service-site-id': site.id }
    try {
      const { status, saw } = isHosted
        ? await node.visit(site.slug, page).then((answer) => ({ status: answer.status, saw: answer.text }))
        : await node
            .ask(this.#key, 'GET', `/pages/${site.pages.get(page)}`, undefined, fields)
            .then((answer) => ({ ...answer, saw: answer.body.data?.html as string }))
      if (status === 503) return false
      const shown = status === 200 ? saw : `status ${status}`
      site.operations.push({ kind: 'read', page, saw: shown, invoked, returned: performance.now() })
      return true
    } catch {
      return false
    }
  }

  async #writeTwice(i: number): Promise<boolean> {
    const name = randomUUID()
    const path = `/collections/${this.#collection}/records`
    this.#twice.set(name, false)
    const both = [0, 1].flatMap((n) => this.#nodes[(i + n) % this.#nodes.length] ?? [])
    const fields = { 'Idempotency-Key': name, 'x-service-site-id': this.sites[0]?.id }
    const send = async (to: FaultNode) => {
      const answer = await to.ask(this.#key, 'POST', path, { data: { name } }, fields)
      if (answer.status === 201) this.#twice.set(name, true)
      else if (answer.body.error?.code !== 'outcome_unknown') this.#noteRefusal('POST /records', answer)
    }
    await Promise.allSettled(both.map(send))
    if (this.#twice.get(name) !== true) return false
    this.#acknowledge()
    return true
  }

  #acknowledge(): void {
    this.acknowledged++
    this.#report.acknowledge()
  }

  /** A fault is no reason for an answer that blames the client or the service's own code. */
  #noteRefusal(what: string, { status, body }: { status: number; body: unknown }): void {
    if (![503, 507, 409].includes(status)) this.#report.violate(`${what}: ${status} ${JSON.stringify(body)}`)
  }

  /** All nodes have the same histories, which hold all that was acknowledged, once, and into which every read fits. */
  async judge(): Promise<void> {
    await this.#untilEqual()
    for (const site of this.sites)
      site.judge(
        this.#nodes.map((node) => node.gitdir(site.slug)),
        this.#report,
      )
    this.#judgeRecords()
  }

  #judgeRecords(): void {
    const gitdir = this.#nodes[0]?.gitdir(this.sites[0]?.slug ?? '') ?? ''
    const found = git(gitdir, 'grep', '-h', '-o', '-E', '"name": *"[0-9a-f-]{36}"', 'main').matchAll(/[0-9a-f-]{36}/g)
    const counts = new Map<string, number>()
    for (const [name] of found) counts.set(name, (counts.get(name) ?? 0) + 1)
    for (const [name, isAcknowledged] of this.#twice) {
      const count = counts.get(name) ?? 0
      if (count > 1) this.#report.violate(`a request with one idempotency key was carried out ${count} times`)
      if (count === 0 && isAcknowledged) this.#report.lose(`the record ${name}`)
    }
  }

  /** Waits until every node answers again and all are equal. A write of unknown outcome may still take effect. */
  async #untilEqual(): Promise<void> {
    const headsOf = (node: FaultNode) =>
      Promise.all(
        this.sites.map(async ({ id }) => {
          const { status, body } = await node.ask(this.#key, 'GET', `/sites/${id}/commits?limit=1`)
          return status === 200 ? (body.data[0].id as string) : `status ${status}`
        }),
      )
    for (const end = performance.now() + RECOVERY_MS; ; await pause(100)) {
      const heads = await Promise.all(this.#nodes.map(headsOf)).catch(() => [['nothing'], []])
      if (new Set(heads.map(String)).size === 1) return
      if (performance.now() > end) throw new Error(`the nodes do not become equal: ${heads.map(String).join(' | ')}`)
    }
  }
}

function failureOf(error: unknown): Heard {
  const isRefused = wasNotSent(error)
  const { name, cause } = error as { name?: unknown; cause?: { code?: unknown } }
  return { outcome: isRefused ? 'refused' : 'unknown', said: String(cause?.code ?? name) }
}

/** Whether the request was never sent, since no process listened. */
function wasNotSent(error: unknown): boolean {
  if (error instanceof NodeGone) return true
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } }
  return (cause?.code ?? code) === 'ECONNREFUSED'
}
