// A site with writers who publish without a pause and visitors who read.

import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type ApiClient, type Page, put, visit } from '../../scenarios/client.js'
import type { ServeProcess } from '../../scenarios/serve-process.js'
import { complaintsOf, git } from '../../support/git.js'
import type { Report } from '../program.js'

/** Milliseconds. */
interface Times {
  reads: number[]
  writes: number[]
}

export class BusySite {
  readonly server: ServeProcess
  readonly slug: string
  readonly gitdir: string
  readonly #api: ApiClient
  readonly #report: Report
  readonly #acknowledged: string[] = []
  #times: Times = { reads: [], writes: [] }
  #id = ''
  #isOver = false

  constructor(server: ServeProcess, key: string, slug: string, dataDir: string, report: Report) {
    this.server = server
    this.slug = slug
    this.gitdir = join(dataDir, `${slug}.git`)
    this.#api = server.api(key)
    this.#report = report
  }

  /** Makes the site unless it exists. */
  async begin(): Promise<void> {
    const { body } = await this.#api.get('/sites?limit=1000').expect(200)
    const found = (body as { data: { id: string; slug: string }[] }).data.find(({ slug }) => slug === this.slug)
    this.#id = found?.id ?? (await this.#create())
    await put(this.#api, '/untouched', 'untouched', this.#id)
  }

  urlOf(path: string): string {
    return `http://${this.slug}.localhost${path}`
  }

  /** The status of the API's answer about a commit of the site. */
  async statusOf(commit: string): Promise<number> {
    return (await this.#api.get(`/sites/${this.#id}/commits/${commit}`)).status
  }

  async #create(): Promise<string> {
    const { body } = await this.#api.post('/sites').send({ slug: this.slug }).expect(201)
    return (body as { data: { id: string } }).data.id
  }

  end(): void {
    this.#isOver = true
  }

  /** Returns the durations of the answers since the last call, in milliseconds. */
  takeTimes(): Times {
    const times = this.#times
    this.#times = { reads: [], writes: [] }
    return times
  }

  /** One publish after the other. While git holds main, the answer says to come back; nothing else may refuse. */
  async write(name: number): Promise<void> {
    for (let i = 0; !this.#isOver; i++) {
      const path = `/writer-${name}-${i % 10}`
      const began = performance.now()
      const { status, body } = await this.#api
        .put(`/pages?path=${path}`)
        .set('x-service-site-id', this.#id)
        .type('text/html')
        .send(`${name}.${i}`)
      this.#times.writes.push(performance.now() - began)
      if (status === 200 || status === 201) this.#acknowledged.push((body.data as Page).version.id)
      else if (body.error?.code === 'site_busy') await pause(50)
      else this.#report.violate(`a write was refused beside an operator: ${status} ${JSON.stringify(body)}`)
    }
  }

  async visit(): Promise<void> {
    while (!this.#isOver) {
      const { status, bytes } = await visit(this.server.origin, this.urlOf('/untouched'))
      if (status !== 200 || bytes.toString() !== 'untouched') {
        this.#report.violate(`a visitor got ${status}: ${bytes.toString()}`)
      }
      const began = performance.now()
      const list = await this.#api.get('/pages?prefix=/untouched').set('x-service-site-id', this.#id)
      this.#times.reads.push(performance.now() - began)
      if (list.status !== 200) this.#report.violate(`a list was refused: ${list.status} ${JSON.stringify(list.body)}`)
      await pause(5)
    }
  }

  /** Everything acknowledged, and everything pushed, is in the history that is served. */
  judge(pushed: readonly string[]): void {
    const history = new Set(git(this.gitdir, 'rev-list', '--first-parent', 'main').split('\n'))
    this.#report.acknowledge(this.#acknowledged.length + pushed.length)
    for (const commit of this.#acknowledged) if (!history.has(commit)) this.#report.lose(`the write ${commit}`)
    for (const commit of pushed) if (!history.has(commit)) this.#report.lose(`the pushed commit ${commit}`)
    const complaints = complaintsOf(this.gitdir)
    if (complaints !== '') this.#report.violate(`git fsck: ${complaints}`)
  }
}
