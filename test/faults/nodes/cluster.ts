// Several services on one PostgreSQL with a standby, each with a way of its own to the primary that can be cut, and sites to write to.

import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { Proxy } from '../../nodes/postgres/proxy.js'
import { PostgresServer } from '../../servers/postgres-server.js'
import { mountMemory, type Mounted } from '../ground/mount.js'
import { HotSite } from './hot-site.js'
import { type Answered, FaultNode } from './node.js'

const NODES = 3
const SITES = 4
const PAGES = 5
/** Attempts to create a page at the beginning. */
const TRIES = 10
const FAKE_TIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1'
/** The machine of one node has a clock that is a day ahead, where Debian's faketime is there. */
const WRONG_CLOCK = { LD_PRELOAD: FAKE_TIME, FAKETIME: '+1d', FAKETIME_DONT_FAKE_MONOTONIC: '1' }
const DISK = 'size=512M'

export class Cluster {
  readonly primary: PostgresServer
  readonly standby: PostgresServer
  readonly nodes: FaultNode[] = []
  /** The disk of the second node, which can become full. */
  readonly disk: Mounted
  readonly #database: string

  private constructor(primary: PostgresServer, standby: PostgresServer, database: string, disk: Mounted) {
    this.primary = primary
    this.standby = standby
    this.#database = database
    this.disk = disk
  }

  static async launch(): Promise<Cluster> {
    const primary = await PostgresServer.launch()
    if (primary === undefined) throw new Error('PostgreSQL is not installed')
    const database = await primary.createDatabase()
    const standby = await primary.addSynchronousStandby()
    return new Cluster(primary, standby, database, mountMemory(DISK))
  }

  /** URLs of both servers, without a proxy between. */
  get urls(): readonly string[] {
    return [this.#database, this.standby.url('test0')]
  }

  /** Starts the nodes and answers an admin's key. The second one is on the disk, and the last has a wrong clock. */
  async start(main?: string): Promise<string> {
    const first = await this.join({ main })
    const key = await first.makeKey()
    // It signs from its first write on.
    const { status } = await first.ask(key, 'POST', '/pages', { path: '/first', html: 'first' })
    if (status !== 201) throw new Error(`the first page: ${status}`)
    await this.join({ main, dataDir: this.disk.folder })
    const hasFakeTime = existsSync(FAKE_TIME)
    if (!hasFakeTime) console.log('all clocks are right: faketime is not there (Debian: apt-get install faketime)')
    await this.join({ main, env: hasFakeTime ? WRONG_CLOCK : {} })
    if (this.nodes.length !== NODES) throw new Error(`there are ${this.nodes.length} nodes`)
    return key
  }

  /** One more node. */
  async join(
    parts: { main?: string | undefined; dataDir?: string; env?: Record<string, string> } = {},
  ): Promise<FaultNode> {
    const { main, dataDir, env = {} } = parts
    const way = await new Proxy(this.primary.port).start()
    const databaseUrl = way.through(this.#database).replace(/(:\d+)\//, `$1,127.0.0.1:${this.standby.port}/`)
    const number = { NODE_NUMBER: String(1 + this.nodes.length) }
    const built = main === undefined ? {} : { main }
    const node = new FaultNode({ databaseUrl, way, dataDir, env: { ...number, ...env }, ...built })
    const [first] = this.nodes
    // Builds before this one knew no key of another node.
    if (first !== undefined && main !== undefined) node.signAs(first)
    await node.start()
    this.nodes.push(node)
    return node
  }

  /** Sites with their pages, made through the first node. */
  async makeSites(key: string): Promise<HotSite[]> {
    const [node] = this.nodes as [FaultNode]
    const sites: HotSite[] = []
    for (let i = 0; i < SITES; i++) {
      const slug = `site-${i}`
      const { body: made } = await node.ask(key, 'POST', '/sites', { slug })
      const fields = { 'x-service-site-id': made.data.id }
      const pages = new Map<string, string>()
      const site = new HotSite(made.data.id, slug, pages)
      for (let page = 0; page < PAGES; page++) {
        const invoked = performance.now()
        const [id, path] = [`w-${1_000_000 + i * PAGES + page}`, `/page-${page}`]
        const { status, body } = await put(node, key, `/pages?path=${path}`, id, fields)
        if (status > 201) throw new Error(`a page: ${status} ${JSON.stringify(body)}`)
        pages.set(path, body.data.id)
        site.operations.push({
          kind: 'write',
          id,
          page: path,
          invoked,
          returned: performance.now(),
          outcome: 'acknowledged',
        })
      }
      sites.push(site)
    }
    return sites
  }

  async remove(): Promise<void> {
    for (const node of this.nodes) await node.remove()
    await this.standby.remove()
    await this.primary.remove()
    this.disk.unmount()
  }
}

/** A node whose PostgreSQL takes longer than a second refuses: then once more. */
async function put(node: FaultNode, key: string, path: string, html: string, fields: object): Promise<Answered> {
  for (let tries = 1; ; tries++) {
    const answer = await node.ask(key, 'PUT', path, html, fields)
    if (answer.status !== 503 || tries === TRIES) return answer
    await pause(1000)
  }
}
