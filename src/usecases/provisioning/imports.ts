// Makes sites of remote repositories, in the background: a few at once, each workspace in its turn. Id and slug are reserved before the
// answer. A failure or a restart ends the import, keeps the reason, and frees them.

import type { Gate } from '../../admission/gate.js'
import { GATES } from '../../admission/gate-rows.js'
import { Refused } from '../../admission/refused.js'
import type { SiteImport } from '../../catalog/remotes/site-imports.js'
import { toSeconds, toTimestamp } from '../../model/clock.js'
import { parseSlug } from '../../model/hosts/slug.js'
import { RemoteFailed } from '../../git/remotes/remote-failed.js'
import { parseRemoteUrl } from '../../git/remotes/remote-url.js'
import type { RemoteCredentials } from '../../git/remotes/remote.js'
import type { Leases } from '../../threads/leases.js'
import { refuseAnotherSite } from '../quotas/refuse-beyond.js'
import type { Provisioner } from './provisioner.js'
import { failImport, type ImportJob, type ImportParts, type ImportProgress, runImport } from './run-import.js'

export interface ImportWish {
  slug: string
  name?: string | undefined
  importUrl: string
  credentials?: RemoteCredentials | undefined
}

interface Job extends ImportJob {
  /** Gives its lease back. */
  release: () => Promise<void>
  ended: Promise<void>
}

const CANCELLED = 'The import was cancelled.'
const STOPPED = 'The service stopped before the import was done. Import it again.'

export interface ImportsParts extends ImportParts {
  /** Lets a few run at once. */
  gate: Gate
  provisioner: Pick<Provisioner, 'settle'>
  /** An import holds one: every machine can show and end it. */
  leases: Leases
}

export class Imports {
  readonly #parts: ImportsParts
  /** Imports under way or waiting, the oldest first. */
  readonly #jobs = new Map<string, Job>()

  constructor(parts: ImportsParts) {
    this.#parts = parts
  }

  /**
   * Reserves id and slug, and begins the import. Throws `invalid_remote`, `invalid_slug`, `reserved_slug`, `slug_taken`,
   * `site_quota_exceeded`, and `too_many_imports`.
   */
  async begin(workspaceId: string, { slug, name, importUrl, credentials }: ImportWish): Promise<SiteImport> {
    const { catalog, clock, newId, leases } = this.#parts
    const url = parseRemoteUrl(importUrl)
    if (catalog.imports.countUnderWay(workspaceId) >= GATES.imports.maxWaiting) throw new Refused(GATES.imports.refusal)
    const parsed = parseSlug(slug)
    const createdAt = toTimestamp(toSeconds(clock()))
    const id = newId()
    const progress: ImportProgress = { phase: 'waiting', receivedBytes: 0, objects: null }
    const lease = await leases.hold('import', id, { say: () => progress, onUnwanted: () => this.#stopIfHere(id) })
    if (lease === undefined) throw new Error(`the new import ${id} is under way`)
    const release = async () => await lease.release()
    const reserve = async () => {
      refuseAnotherSite(this.#parts, workspaceId)
      return await catalog.sites.reserve({ id, workspaceId, slug: parsed, name, createdAt })
    }
    const site = await reserve().catch(async (error: unknown) => {
      await release()
      throw error
    })
    const added: SiteImport = {
      id: site.id,
      workspaceId,
      slug,
      url: url.href,
      createdAt,
      state: 'importing',
      siteId: null,
      error: null,
      warnings: [],
    }
    try {
      await catalog.imports.add(added)
    } catch (error) {
      await catalog.sites.dropCreating(site.id)
      await release()
      throw error
    }
    const stop = new AbortController()
    const job: Job = { import: added, site, url, credentials, progress, stop, release, ended: Promise.resolve() }
    this.#jobs.set(added.id, job)
    job.ended = this.#run(job)
    return added
  }

  /** Finds the import that began with this id, or made the site that has it now. */
  find(workspaceId: string, id: string): SiteImport | undefined {
    return this.#parts.catalog.imports.find(workspaceId, id)
  }

  /** Lists a workspace's imports that are under way or failed, the oldest first, at most `count` after one of them (`ageOf`). */
  listUnfinished(workspaceId: string, after: string, count: number): SiteImport[] {
    return this.#parts.catalog.imports.listUnfinished(workspaceId, after, count)
  }

  /** Returns undefined if the import is not under way. */
  async progressOf(id: string): Promise<ImportProgress | undefined> {
    // The lease tells the progress of a job here up to a second late.
    const here = this.#jobs.get(id)?.progress
    return here ?? ((await this.#parts.leases.find('import', id)) as ImportProgress | undefined)
  }

  /** Ends the import and forgets it: id and slug are free when this resolves, unless the site became live before. */
  async cancel({ id, workspaceId }: SiteImport): Promise<void> {
    const job = this.#jobs.get(id)
    if (job !== undefined) await this.#stop(job, CANCELLED)
    else await this.#endElsewhere({ id, workspaceId })
    if (this.find(workspaceId, id)?.state !== 'done') await this.#parts.catalog.imports.remove(id)
  }

  /** Settles the imports that a process left when it ended. Call it after `Provisioner.recover`. */
  async recover(): Promise<void> {
    for (const each of this.#parts.catalog.imports.listUnderWay()) await this.#record(each)
  }

  /** Finishes or rolls back an import whose process died, and its site. */
  async settle(left: SiteImport): Promise<void> {
    const { catalog, provisioner } = this.#parts
    const site = (await catalog.sites.listCreating()).find(({ slug }) => slug === left.slug)
    if (site !== undefined) await provisioner.settle(site)
    await this.#record(left)
  }

  /** Records the import as done if its site is live, else as failed. */
  async #record({ id, slug, workspaceId }: SiteImport): Promise<void> {
    const { catalog } = this.#parts
    const site = catalog.sites.readBySlug(slug)
    if (site?.workspaceId === workspaceId) await catalog.imports.finish(id, site.id, [])
    else await catalog.imports.fail(id, STOPPED)
  }

  /** Ends the imports under way. */
  async close(): Promise<void> {
    await Promise.all(Array.from(this.#jobs.values()).map((job) => this.#stop(job, STOPPED)))
  }

  /** Ends the import on the machine that runs it; if none does, settles the import that a dead one left. */
  async #endElsewhere({ id, workspaceId }: Pick<SiteImport, 'id' | 'workspaceId'>): Promise<void> {
    await this.#parts.leases.end('import', id)
    const left = this.find(workspaceId, id)
    if (left?.state === 'importing') await this.settle(left)
  }

  #stopIfHere(id: string): void {
    const job = this.#jobs.get(id)
    if (job !== undefined) void this.#stop(job, CANCELLED)
  }

  /** Resolves once the job has ended. A waiting job ends at once. */
  async #stop(job: Job, reason: string): Promise<void> {
    job.stop.abort(new RemoteFailed(reason))
    await job.ended
  }

  /** Runs the job in its turn. Never rejects. */
  async #run(job: Job): Promise<void> {
    try {
      const leave = await this.#parts.gate.enter(job.import.workspaceId, { signal: job.stop.signal })
      await runImport(this.#parts, job)
      leave()
    } catch (error) {
      await failImport(this.#parts, job, error)
    }
    this.#jobs.delete(job.import.id)
    await job.release()
  }
}
