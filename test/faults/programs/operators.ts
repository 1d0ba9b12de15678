// Operators at work on a live repository with plain git, while writers publish without a pause and visitors read: nothing
// is lost on either side, no read fails, a push lands within five tries and is live within a second.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Page, put, visit } from '../../scenarios/client.js'
import { commitFiles, runGit, within } from '../../scenarios/operators/operator.js'
import { endProcesses, makeKey, serve, type ServeProcess } from '../../scenarios/serve-process.js'
import { git } from '../../support/git.js'
import { judgeRepository } from '../../support/second-judge.js'
import type { FaultProgram, Report } from '../program.js'

export interface OperatorLoad {
  rounds: number
  writers: number
  visitors: number
}

const WHOLE: OperatorLoad = { rounds: 12, writers: 4, visitors: 2 }
const MOST_TRIES = 5
/** Milliseconds. */
const LIVE_WITHIN = 1000

export const operators: FaultProgram = {
  name: 'operators',
  about: 'push, forced push, pack-refs, repack, gc, clone and revert beside writers and visitors',
  needs: [],
  run: async (report) => {
    const tries = await operateBeside(WHOLE, report)
    console.log(`pushes by the tries that they took: ${JSON.stringify(tries)}`)
  },
}

/** How many pushes took how many tries. */
export async function operateBeside(load: OperatorLoad, report: Report): Promise<Record<number, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-operators-'))
  const dataDir = join(folder, 'data')
  try {
    const server = await serve({ dataDir })
    const site = new BusySite(server, await makeKey(dataDir), join(dataDir, 'demo.git'), report)
    await site.begin()
    const beside = [
      ...Array.from({ length: load.writers }, (_, name) => site.write(name)),
      ...Array.from({ length: load.visitors }, () => site.visit()),
    ]
    const operator = new Operator(site, join(folder, 'clone'), report)
    try {
      for (let round = 0; round < load.rounds; round++) await operator.work(round)
    } finally {
      site.end()
      await Promise.all(beside)
    }
    site.judge(operator.pushed)
    server.signal('SIGTERM')
    await server.ended
    await judgeRepository(join(dataDir, 'demo.git'))
    return operator.tries
  } finally {
    await endProcesses()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The site with its writers and visitors. */
class BusySite {
  readonly server: ServeProcess
  readonly key: string
  readonly gitdir: string
  readonly #report: Report
  readonly #acknowledged: string[] = []
  #isOver = false

  constructor(server: ServeProcess, key: string, gitdir: string, report: Report) {
    this.server = server
    this.key = key
    this.gitdir = gitdir
    this.#report = report
  }

  async begin(): Promise<void> {
    await put(this.server.api(this.key), '/untouched', 'untouched')
  }

  end(): void {
    this.#isOver = true
  }

  /** One publish after the other. While git holds main, the answer says to come back; nothing else may refuse. */
  async write(name: number): Promise<void> {
    for (let i = 0; !this.#isOver; i++) {
      const path = `/writer-${name}-${i % 10}`
      const { status, body } = await this.server
        .api(this.key)
        .put(`/pages?path=${path}`)
        .type('text/html')
        .send(`${name}.${i}`)
      if (status === 200 || status === 201) this.#acknowledged.push((body.data as Page).version.id)
      else if (body.error?.code === 'site_busy') await pause(50)
      else this.#report.violate(`a write was refused beside an operator: ${status} ${JSON.stringify(body)}`)
    }
  }

  async visit(): Promise<void> {
    while (!this.#isOver) {
      const { status, bytes } = await visit(this.server.origin, `http://demo.localhost/untouched`)
      if (status !== 200 || bytes.toString() !== 'untouched') {
        this.#report.violate(`a visitor got ${status}: ${bytes.toString()}`)
      }
      const list = await this.server.api(this.key).get('/pages?prefix=/untouched')
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
    const complaints = git(this.gitdir, 'fsck', '--full', '--strict', '--no-dangling')
    if (complaints !== '') this.#report.violate(`git fsck: ${complaints}`)
  }
}

/** One person with a clone. */
class Operator {
  readonly pushed: string[] = []
  readonly tries: Record<number, number> = {}
  readonly #site: BusySite
  readonly #clone: string
  readonly #report: Report

  constructor(site: BusySite, clone: string, report: Report) {
    this.#site = site
    this.#clone = clone
    this.#report = report
  }

  /** Everything that an operator does, once. */
  async work(round: number): Promise<void> {
    this.#report.begin(`round ${round + 1} of an operator`)
    rmSync(this.#clone, { recursive: true, force: true })
    await this.#must(this.#site.gitdir, 'clone', '--quiet', this.#site.gitdir, this.#clone)
    commitFiles(this.#clone, `Round ${round}`, { [`by-hand-${round}.html`]: `pushed in round ${round}` })
    await this.#push(`/by-hand-${round}`, `pushed in round ${round}`)
    await this.#forcePush()
    await this.#must(this.#site.gitdir, 'pack-refs', '--all')
    await this.#must(this.#site.gitdir, 'repack', '-adq')
    await this.#must(this.#clone, 'revert', '--no-edit', 'HEAD')
    await this.#push(`/by-hand-${round}`, undefined)
    await this.#must(this.#site.gitdir, 'gc', '--quiet')
    await this.#must(this.#site.gitdir, 'gc', '--quiet', '--prune=now')
  }

  /** Pulls and pushes until it lands; then the page is live (or gone) within a second, and the commit in the API's history. */
  async #push(path: string, html: string | undefined): Promise<void> {
    for (let tries = 1; ; tries++) {
      await this.#must(this.#clone, 'pull', '--quiet', '--rebase')
      const { code, stderr } = await runGit(this.#clone, 'push', '--quiet')
      if (code === 0) {
        this.tries[tries] = (this.tries[tries] ?? 0) + 1
        break
      }
      if (tries === MOST_TRIES) return this.#report.violate(`a push did not land within ${MOST_TRIES} tries: ${stderr}`)
    }
    const commit = git(this.#clone, 'rev-parse', 'HEAD')
    this.pushed.push(commit)
    const { server, key } = this.#site
    const isLive = async () => {
      const { status, bytes } = await visit(server.origin, `http://demo.localhost${path}`)
      const found = status === 200 ? bytes.toString() : undefined
      if (found !== html) throw new Error(`${path} is ${String(found)} and not ${String(html)} a second after its push`)
    }
    await within(LIVE_WITHIN, isLive).catch((error: unknown) => this.#report.violate(String(error)))
    const sites = (await server.api(key).get('/sites')).body.data as { id: string }[]
    const known = await server.api(key).get(`/sites/${sites[0]?.id}/commits/${commit}`)
    if (known.status !== 200) this.#report.violate(`the API does not know the pushed commit: ${known.status}`)
  }

  async #forcePush(): Promise<void> {
    const head = git(this.#clone, 'rev-parse', 'HEAD')
    await this.#must(this.#clone, 'commit', '--quiet', '--amend', '--message', 'Rewritten')
    const { code, stderr } = await runGit(this.#clone, 'push', '--quiet', '--force')
    if (code === 0) this.#report.violate('a forced push was taken')
    else if (!/this history is linear/.test(stderr))
      this.#report.violate(`a forced push was refused without a reason: ${stderr}`)
    git(this.#clone, 'reset', '--quiet', '--hard', head)
  }

  /** A failing git command is a violation: writes of the service must not make it fail. */
  async #must(folder: string, ...args: string[]): Promise<void> {
    const { code, stderr } = await runGit(folder, ...args)
    if (code !== 0) this.#report.violate(`git ${args.join(' ')}: ${stderr}`)
  }
}
