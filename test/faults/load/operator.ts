// An operator with a clone, who uses all features of git while the service runs.

import { rmSync } from 'node:fs'
import { visit } from '../../scenarios/client.js'
import { commitFiles, runGit } from '../../scenarios/operators/operator.js'
import { within } from '../../support/within.js'
import { git } from '../../support/git.js'
import type { Report } from '../program.js'
import type { BusySite } from './busy-site.js'

export interface OperatorLimits {
  /** A push must land within so many tries. */
  maxTries: number
  /** A pushed page must be live after this time. */
  maxLiveMs: number
}

export class Operator {
  readonly pushed: string[] = []
  readonly tries: Record<number, number> = {}
  readonly #site: BusySite
  readonly #clone: string
  readonly #limits: OperatorLimits
  readonly #report: Report

  constructor(site: BusySite, clone: string, limits: OperatorLimits, report: Report) {
    this.#site = site
    this.#clone = clone
    this.#limits = limits
    this.#report = report
  }

  /** Clones, pushes, tries a forced push, packs, reverts and prunes. */
  async work(round: number): Promise<void> {
    this.#report.begin(`round ${round + 1} of the operator of ${this.#site.slug}`)
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

  /** Pulls and pushes until it lands; then the page is live (or gone) in time, and the commit in the API's history. */
  async #push(path: string, html: string | undefined): Promise<void> {
    const { maxTries, maxLiveMs } = this.#limits
    for (let tries = 1; ; tries++) {
      await this.#must(this.#clone, 'pull', '--quiet', '--rebase')
      const { code, stderr } = await runGit(this.#clone, 'push', '--quiet')
      if (code === 0) {
        this.tries[tries] = (this.tries[tries] ?? 0) + 1
        break
      }
      if (tries === maxTries) return this.#report.violate(`a push did not land within ${maxTries} tries: ${stderr}`)
    }
    const commit = git(this.#clone, 'rev-parse', 'HEAD')
    this.pushed.push(commit)
    const isLive = async () => {
      const { status, bytes } = await visit(this.#site.server.origin, this.#site.urlOf(path))
      const found = status === 200 ? bytes.toString() : undefined
      if (found !== html)
        throw new Error(`${path} is ${String(found)} and not ${String(html)} ${maxLiveMs} ms after its push`)
    }
    await within(maxLiveMs, isLive).catch((error: unknown) => this.#report.violate(String(error)))
    // Pages and the API are served by different processes, and each sees a push by itself.
    const isKnown = async () => {
      const known = await this.#site.statusOf(commit)
      if (known !== 200) throw new Error(`the API does not know the commit ${maxLiveMs} ms after its push: ${known}`)
    }
    await within(maxLiveMs, isKnown).catch((error: unknown) => this.#report.violate(String(error)))
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
