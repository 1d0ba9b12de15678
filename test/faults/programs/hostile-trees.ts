// Trees of any names, modes and objects, pushed, and put in place without the hooks. If git accepts them, nothing outside of the
// repository is served, good pages and other sites answer as before, the API goes on, and memory stays bounded.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { put, sendRaw } from '../../scenarios/client.js'
import { runGit } from '../../scenarios/operators/operator.js'
import { within } from '../../support/within.js'
import { git } from '../../support/git.js'
import { startOwnService, type TestService } from '../../support/service.js'
import type { FaultProgram, Report } from '../program.js'
import { runHere } from '../../programs/shell.js'

const CASES = 100
/** Much longer than the service needs to see what git changed. */
const MAX_SEEN_MS = 15_000
const CANARY = 'CANARY: a file outside of the repository'
const MAX_GROWTH_BYTES = 128 * 1024 * 1024

export const hostileTrees: FaultProgram = {
  name: 'hostile-trees',
  about: 'trees of any names, modes and objects, pushed and put in place past the hooks',
  needs: [],
  run: (report) => plantTrees(CASES, report),
}

type Target = 'canary' | 'text' | 'folder' | 'missing' | 'commit'

interface Entry {
  mode: string
  name: Uint8Array
  target: Target
}

const name = fc.oneof(
  fc
    .constantFrom(
      '.git',
      '.GIT',
      'git~1',
      '.',
      '..',
      'a\\b.html',
      'a/b.html',
      '/etc/passwd',
      'good.html',
      'index.html',
      '404.html',
    )
    .map((text) => Buffer.from(text)),
  fc
    .constantFrom(
      '_redirects',
      '_headers',
      '.site.json',
      '.pages',
      '.long',
      '.templates',
      'collections',
      `${'x'.repeat(300)}.html`,
    )
    .map((text) => Buffer.from(text)),
  fc.uint8Array({ min: 1, minLength: 0, maxLength: 24 }),
  fc.string({ maxLength: 12 }).map((text) => Buffer.from(`${text.replaceAll('\0', '')}.html`)),
)
const entry: fc.Arbitrary<Entry> = fc.record({
  mode: fc.constantFrom('100644', '100755', '120000', '160000', '40000', '100664', '0', '777777'),
  name,
  target: fc.constantFrom<Target>('canary', 'text', 'folder', 'missing', 'commit'),
})
const hostileTree = fc.array(entry, { minLength: 1, maxLength: 8 })

export async function plantTrees(cases: number, report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-hostile-'))
  const service = await startOwnService()
  try {
    writeFileSync(join(folder, 'canary.html'), CANARY)
    const field = new Field(service, folder, report)
    await field.prepare()
    const before = process.memoryUsage().rss
    for (const [i, entries] of fc.sample(hostileTree, cases).entries()) {
      report.begin(`tree ${i + 1}`, cases)
      await field.plant(entries, i % 2 === 0)
    }
    const growth = process.memoryUsage().rss - before
    if (growth > MAX_GROWTH_BYTES) report.violate(`memory grew by ${growth} bytes`)
  } finally {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A site that gets hostile trees, and another that is left alone. */
class Field {
  readonly #service: TestService
  readonly #folder: string
  readonly #report: Report
  readonly #clone: string
  #good = ''
  #neighbour = ''

  constructor(service: TestService, folder: string, report: Report) {
    this.#service = service
    this.#folder = folder
    this.#report = report
    this.#clone = join(folder, 'clone.git')
  }

  async prepare(): Promise<void> {
    const { key } = await this.#service.mint({ scopes: ['admin'] })
    await this.#service.api(key).post('/sites').send({ slug: 'neighbour' }).expect(201)
    const { body } = await this.#service.api(key).get('/sites')
    this.#neighbour = (body.data as { id: string; slug: string }[]).find(({ slug }) => slug === 'neighbour')?.id ?? ''
    await put(this.#service.api(key), '/well', 'well', this.#neighbour)
    await put(this.#service.api(), '/good', 'good')
    git(this.#folder, 'clone', '--quiet', '--bare', '--no-local', this.#service.gitdir(), this.#clone)
    this.#good = git(this.#clone, 'rev-parse', 'main')
  }

  /** The tree on top of the good one; then everything is asked, and the good one put back. */
  async plant(entries: readonly Entry[], isPushed: boolean): Promise<void> {
    const gitdir = this.#service.gitdir()
    const where = isPushed ? this.#clone : gitdir
    const commit = this.#commit(where, entries)
    if (isPushed) await runGit(where, 'push', '--quiet', gitdir, `${commit}:refs/heads/main`)
    else this.#moveMain(commit)
    const planted = git(gitdir, 'rev-parse', 'main') === commit
    const shown = `${isPushed ? 'pushed' : 'planted'} ${JSON.stringify(entries.map((one) => ({ ...one, name: Buffer.from(one.name).toString('latin1') })))}`
    if (planted)
      await within(MAX_SEEN_MS, () => this.#ask(entries)).catch((error: unknown) =>
        this.#report.violate(`${shown}: ${String(error)}`),
      )
    this.#moveMain(this.#good)
  }

  /** Throws the fault, if there is one. */
  async #ask(entries: readonly Entry[]): Promise<void> {
    const port = this.#service.server.port
    for (const { name: bytes } of entries) {
      const escaped = Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
      for (const target of [`/${escaped}`, `/${escaped.replace(/%2e%68%74%6d%6c$/, '')}`, `/${escaped}/canary.html`]) {
        const { status, text } = await sendRaw(
          port,
          `GET ${target} HTTP/1.1\r\nHost: demo.localhost\r\nConnection: close\r\n\r\n`,
        )
        if (text.includes(CANARY)) throw new Error(`${target} serves a file from outside`)
        if (status >= 500 && status !== 503) throw new Error(`${target} answers ${status}`)
      }
    }
    const good = await this.#service.visit('/good')
    if (good.status !== 200 || good.text !== 'good') throw new Error(`the good page answers ${good.status}`)
    const well = await this.#service.visit('/well', 'neighbour')
    if (well.status !== 200 || well.text !== 'well') throw new Error(`another site answers ${well.status}`)
    for (const path of ['/pages?status=all', '/collections', '/templates', `/sites/${this.#service.site.id}/checks`]) {
      const { status, body } = await this.#service.api().get(path)
      // A missing object makes the site unreadable for its own API, and must harm nothing else.
      if (status !== 200 && status !== 503) throw new Error(`${path} answers ${status}: ${JSON.stringify(body)}`)
    }
  }

  #commit(gitdir: string, entries: readonly Entry[]): string {
    const root = runHere({ command: ['git', '-C', gitdir, 'cat-file', 'tree', `${this.#good}^{tree}`] })
    const oids: Record<Target, string> = {
      canary: this.#write(gitdir, 'blob', Buffer.from(join(this.#folder, 'canary.html'))),
      text: this.#write(gitdir, 'blob', Buffer.from('<title>text</title>')),
      folder: git(gitdir, 'rev-parse', `${this.#good}^{tree}`),
      missing: 'ab'.repeat(20),
      commit: this.#good,
    }
    const added = entries.flatMap(({ mode, name: bytes, target }) => [
      Buffer.from(`${mode} `),
      bytes,
      Buffer.from([0]),
      Buffer.from(oids[target], 'hex'),
    ])
    const tree = this.#write(gitdir, 'tree', Buffer.concat([root, ...added]))
    const who = 'M <m@example.org> 1790000000 +0000'
    const text = `tree ${tree}\nparent ${this.#good}\nauthor ${who}\ncommitter ${who}\n\nHostile\n`
    return this.#write(gitdir, 'commit', Buffer.from(text))
  }

  #write(gitdir: string, type: string, bytes: Buffer): string {
    const args = ['-C', gitdir, 'hash-object', '-w', '--literally', '-t', type, '--stdin']
    return runHere({ command: ['git', ...args], input: bytes })
      .toString()
      .trim()
  }

  #moveMain(commit: string): void {
    git(this.#service.gitdir(), '-c', 'core.hooksPath=/dev/null', 'update-ref', 'refs/heads/main', commit)
  }
}
