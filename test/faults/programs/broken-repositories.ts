// Breaks one site's repository, live and before a start, in every way of damage.ts: all other sites must be served as
// before, the damaged one must answer correctly or 503 and be named with a remedy, and docs/repair.md must repair it as pasted.

import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import supertest from 'supertest'
import { put, visit } from '../../scenarios/client.js'
import { commitFiles, runGit } from '../../scenarios/operators/operator.js'
import { within } from '../../support/within.js'
import { endProcesses, makeKey, run, runPalimpsest, serve, type ServeProcess } from '../../scenarios/serve-process.js'
import { assertSound } from '../../support/git.js'
import { type Damage, DAMAGES } from '../ground/damage.js'
import type { FaultProgram, Report } from '../program.js'

const REPAIR = readFileSync(fileURLToPath(new URL('../../../../docs/repair.md', import.meta.url)), 'utf8')
const MAX_NAMING_MS = 10_000
const MAX_START_MS = 3000
/** Damage may hide behind answers from memory, so the background check runs often here. */
const ENV = { CHECK_INTERVAL_SECONDS: '1', CHECK_BYTES_PER_SECOND: String(1 << 30) }
/** Large enough to be the largest pack's only content. */
const LARGE = 'a page of some length, so that its pack is the largest\n'.repeat(40)
const PAGES: Readonly<Record<string, string>> = { '/about': LARGE, '/contact': 'contact', '/by-hand': 'pushed' }

export const brokenRepositories: FaultProgram = {
  name: 'broken-repositories',
  about: "damage to one site's repository, live and before a start, and the documented repair",
  needs: [],
  run: (report) => breakRepositories(DAMAGES, report),
}

export async function breakRepositories(
  damages: readonly Damage[],
  report: Report,
  moments = ['live', 'start'],
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-broken-'))
  try {
    const service = new DamagedService(folder, report)
    await service.found()
    if (moments.includes('live')) await service.breakLive(damages)
    if (moments.includes('start')) await service.breakBeforeStart(damages)
  } finally {
    await endProcesses(folder)
  }
}

interface DamagedSite {
  slug: string
  id: string
  damage: Damage
  gitdir: string
  /** A mirror made before the damage. */
  good: string
}

interface Health {
  troubles: { site: { slug: string }; remedy: string }[]
}

/** A service with a healthy site and damaged ones. */
class DamagedService {
  readonly #folder: string
  readonly #dataDir: string
  readonly #report: Report
  #server!: ServeProcess
  #key = ''

  constructor(folder: string, report: Report) {
    this.#folder = folder
    this.#dataDir = join(folder, 'data')
    this.#report = report
  }

  async found(): Promise<void> {
    this.#server = await serve({ dataDir: this.#dataDir, env: ENV })
    this.#key = await makeKey(this.#dataDir, 'admin')
    await put(this.#server.api(this.#key), '/well', 'well')
  }

  /** Damages one site after the other and repairs each before the next. */
  async breakLive(damages: readonly Damage[]): Promise<void> {
    for (const [i, damage] of damages.entries()) {
      const damaged = await this.#settle(`live-${i}`, damage)
      this.#report.begin(`${damage.name}, live`, damages.length * 2)
      await this.#visitAll(damaged)
      damage.harm(damaged.gitdir)
      await this.#checkDamaged(damaged)
      await this.#repair(damaged)
    }
  }

  /** All at once while the service is down. */
  async breakBeforeStart(damages: readonly Damage[]): Promise<void> {
    const damaged: DamagedSite[] = []
    for (const [i, damage] of damages.entries()) damaged.push(await this.#settle(`start-${i}`, damage))
    this.#server.signal('SIGTERM')
    await this.#server.ended
    for (const { damage, gitdir } of damaged) damage.harm(gitdir)
    const began = performance.now()
    this.#server = await serve({ dataDir: this.#dataDir, env: ENV })
    const took = performance.now() - began
    if (took > MAX_START_MS) this.#report.violate(`a start with ${damaged.length} damaged sites took ${took} ms`)
    for (const site of damaged) {
      this.#report.begin(`${site.damage.name}, before a start`, damages.length * 2)
      await this.#checkDamaged(site)
    }
    for (const site of damaged) await this.#repair(site)
  }

  /** A site with packs of the service, and loose objects of a push. */
  async #settle(slug: string, damage: Damage): Promise<DamagedSite> {
    const api = this.#server.api(this.#key)
    const { body } = await api.post('/sites').send({ slug })
    const { id } = body.data as { id: string }
    const gitdir = join(this.#dataDir, `${slug}.git`)
    const clone = join(this.#folder, slug)
    await put(api, '/about', LARGE, id)
    await put(api, '/contact', 'contact', id)
    await runGit(this.#folder, 'clone', '--quiet', '--no-local', gitdir, clone)
    commitFiles(clone, 'By hand', { 'by-hand.html': 'pushed' })
    await runGit(clone, 'push', '--quiet')
    const good = `${clone}.good`
    await runGit(this.#folder, 'clone', '--quiet', '--mirror', '--no-local', gitdir, good)
    return { slug, id, damage, gitdir, good }
  }

  async #checkDamaged(damaged: DamagedSite): Promise<void> {
    const name = `${damaged.damage.name}: `
    await within(MAX_NAMING_MS, async () => {
      await this.#visitAll(damaged)
      await this.#visitOthers()
      if ((await this.#remedies(damaged)).length === 0) throw new Error('it is not named within ten seconds')
    }).catch((error: unknown) => this.#report.violate(`${name}${String(error)}`))
    const remedies = await this.#remedies(damaged)
    const { code, stdout, stderr } = await this.#fsck(damaged)
    if (code !== 1) this.#report.violate(`${name}fsck exits with ${code}: ${stdout}${stderr}`)
    for (const words of [stdout, remedies.join()]) {
      if (damaged.damage.repair.some((heading) => words.includes(`"${heading}"`))) continue
      this.#report.violate(`${name}nothing says what to do (${damaged.damage.repair.join()}): ${words}`)
    }
  }

  /** Runs the documented commands as pasted; then the site must be as before and take writes. */
  async #repair(damaged: DamagedSite): Promise<void> {
    const name = `${damaged.damage.name}, repaired: `
    for (const heading of damaged.damage.repair) {
      const { code, stderr } = await run('bash', ['-c', `set -eu\n${commandsBelow(heading)}`], {
        env: { ...process.env, REPO: damaged.gitdir, GOOD: damaged.good },
        timeout: 60_000,
      })
      if (code !== 0) this.#report.violate(`${name}"${heading}" ends with ${code}: ${stderr}`)
    }
    await within(MAX_NAMING_MS, async () => {
      const remedies = await this.#remedies(damaged)
      if (remedies.length > 0) throw new Error(`it is still named: ${remedies.join()}`)
      for (const [path, html] of Object.entries(PAGES)) {
        const { status, bytes } = await visit(this.#server.origin, `http://${damaged.slug}.localhost${path}`)
        if (status !== 200 || bytes.toString() !== html) throw new Error(`${path} answers ${status}`)
      }
      const { code, stdout } = await this.#fsck(damaged)
      if (code !== 0) throw new Error(`fsck: ${stdout}`)
      await put(this.#server.api(this.#key), '/after', 'after', damaged.id)
      this.#report.acknowledge()
      assertSound(damaged.gitdir)
    }).catch((error: unknown) => this.#report.violate(`${name}${String(error)}`))
  }

  /** The damaged site must answer correctly or 503. */
  async #visitAll({ slug, damage }: DamagedSite): Promise<void> {
    for (const [path, html] of Object.entries(PAGES)) {
      const { status, bytes } = await visit(this.#server.origin, `http://${slug}.localhost${path}`)
      const isRight = status === 200 && bytes.toString() === html
      if (!isRight && status !== 503) this.#report.violate(`${damage.name}: ${path} answers ${status}`)
    }
  }

  async #visitOthers(): Promise<void> {
    const { status, bytes } = await visit(this.#server.origin, 'http://demo.localhost/well')
    if (status !== 200 || bytes.toString() !== 'well') this.#report.violate(`another site answers ${status}`)
    const { status: api } = await this.#server.api(this.#key).get('/pages')
    if (api !== 200) this.#report.violate(`the API of another site answers ${api}`)
    const ready = await supertest(this.#server.origin).get('/readyz')
    if (ready.status !== 200) this.#report.violate(`readyz answers ${ready.status}`)
  }

  async #remedies({ slug }: DamagedSite): Promise<string[]> {
    const { body } = await supertest(this.#server.origin).get('/healthz?verbose=1')
    return (body as Health).troubles.filter(({ site }) => site.slug === slug).map(({ remedy }) => remedy)
  }

  #fsck({ slug }: DamagedSite) {
    return runPalimpsest({ DATA_DIR: this.#dataDir }, 'fsck', slug)
  }
}

/** The first block of commands below a heading of docs/repair.md. */
function commandsBelow(heading: string): string {
  const [, section] = REPAIR.split(`\n## ${heading}\n`)
  const commands = /```sh\n([^`]*(?:`(?!``)[^`]*)*)```/.exec(section ?? '')?.[1]
  if (commands === undefined) throw new Error(`docs/repair.md has no commands under ${heading}`)
  return commands
}
