// Random pushes over HTTP to one site and by path to its twin: both are accepted or both refused, for the same reasons, and leave the
// same tree. A key that is limited to a folder pushes only that folder.

import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import * as fc from 'fast-check'
import { encodePack } from '../../../src/git/storage/pack-writer.js'
import { PktLineReader } from '../../../src/git/wire/pkt-lines.js'
import { commitFiles } from '../../scenarios/operators/operator.js'
import { assertSound, git, withClone } from '../../support/git.js'
import { buildPush, type PushBase, type PushPlan, randomPushes } from '../../support/random-push.js'
import { commandLines, sendPush } from '../../support/raw-push.js'
import { startOwnService, type TestService } from '../../support/service.js'
import type { FaultProgram, Report } from '../program.js'

const CASES = 400
const MAIN = 'refs/heads/main'
/** Limits that the random pushes expect. */
const SIZES = { MAX_HTML_BYTES: '4000', MAX_FILE_BYTES: '5000' }
const SCHEMA = '{"properties":{"n":{"type":"integer"}},"type":"object"}'
const FILES = {
  'docs/a.html': 'a',
  'docs/deep/b.html': 'b',
  'a.css': 'c',
  'collections/notes.json': `{"id":"notes","name":"Notes","schema":${SCHEMA}}\n`,
  'collections/notes/one.json': '{"n":1}\n',
}
const LIMITED_TO = '/docs/*'
/** Paths that such a key may push: the path itself and all below, but no name that begins with a dot. */
const MAY_BRING = /^docs(?:\/(?!\.)[^/]+)*$/s
/** Whether it may bring these is decided by which pages they belong to. */
const DEPENDS = /^\.pages\/|^docs\/index\.html$/

export const httpAndPath: FaultProgram = {
  name: 'http-and-path',
  about: 'random pushes over HTTP to one site and by path to its twin, which must be taken and refused alike',
  needs: [],
  run: (report) => pushThroughBoth(CASES, report, Number(process.env['TWO_DOORS_SEED'] ?? Date.now())),
}

export async function pushThroughBoth(cases: number, report: Report, seed: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-pushes-'))
  const service = await startOwnService({ env: SIZES })
  try {
    const twins = await HttpAndPath.open(service, folder)
    for (const [at, plan] of fc.sample(randomPushes, { numRuns: cases, seed }).entries()) {
      report.begin(`push ${at + 1}`, cases)
      const wrong = await twins.push(plan, report)
      for (const what of wrong) report.violate(`seed ${seed}, push ${at + 1}, ${JSON.stringify(plan)}: ${what}`)
    }
    assertSound(service.gitdir())
  } finally {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The answer to a push, over HTTP or by path. */
interface Judgement {
  isTaken: boolean
  /** The reason for a refusal, and the faults of rules files, without the words that either way puts around them. */
  reasons: string[]
  said: string
}

class HttpAndPath {
  readonly #service: TestService
  readonly #twin: string
  readonly #base: PushBase
  readonly #limitedKey: string

  private constructor(service: TestService, twin: string, base: PushBase, limitedKey: string) {
    this.#service = service
    this.#twin = twin
    this.#base = base
    this.#limitedKey = limitedKey
  }

  static async open(service: TestService, folder: string): Promise<HttpAndPath> {
    const gitdir = service.gitdir()
    const first = git(gitdir, 'rev-parse', 'main')
    await withClone(gitdir, (clone) => {
      commitFiles(clone, 'Begin', FILES)
      git(clone, 'push', '--quiet')
    })
    const twin = join(folder, 'demo.git')
    cpSync(gitdir, twin, { recursive: true })
    cpSync(join(service.dataDir, 'push-limits'), join(folder, 'push-limits'))
    const config = join(twin, 'config')
    writeFileSync(config, readFileSync(config, 'utf8').replaceAll(service.dataDir, folder))
    const { key } = await service.mint({ scopes: ['write'], paths: [LIMITED_TO] })
    return new HttpAndPath(service, twin, { gitdir, first, head: git(gitdir, 'rev-parse', 'main') }, key)
  }

  /** Pushes both ways. Returns the differences, or an empty list. */
  async push(plan: PushPlan, report: Report): Promise<string[]> {
    const { objects, after } = buildPush(this.#base, plan)
    const commands = commandLines([{ ref: MAIN, before: this.#base.head, after }])
    const body = Buffer.concat([commands, encodePack(objects).pack])
    const wrong: string[] = []
    const byPath = await this.#byPath(body)
    if (byPath.isTaken) {
      report.acknowledge()
      const limited = await this.#overHttp(body, this.#limitedKey)
      const may = this.#mayBring(after)
      if (may !== undefined && limited.isTaken !== may)
        wrong.push(`the limited key ${may ? 'is refused' : 'brings it'}: ${limited.said}`)
      if (limited.isTaken) this.#putBack(this.#base.gitdir)
    }
    const overHttp = await this.#overHttp(body, this.#service.key)
    if (overHttp.isTaken !== byPath.isTaken || overHttp.reasons.join('\n') !== byPath.reasons.join('\n'))
      wrong.push(`over HTTP: ${overHttp.said}\nby path: ${byPath.said}`)
    const heads = [this.#base.gitdir, this.#twin].map((gitdir) => git(gitdir, 'rev-parse', 'main', 'main^{tree}'))
    if (heads[0] !== heads[1]) wrong.push(`main is ${heads.join(' and ')}`)
    for (const gitdir of [this.#base.gitdir, this.#twin]) this.#putBack(gitdir)
    return wrong
  }

  async #overHttp(body: Buffer, key: string): Promise<Judgement> {
    const { status, text, bytes } = await sendPush({ origin: this.#service.origin, key }, body)
    if (status !== 200) return { isTaken: false, reasons: [`status ${status}`], said: text }
    return await judgementIn(bytes)
  }

  /** Runs the program that `git push` starts at a path, with the bytes that it would send. */
  async #byPath(body: Buffer): Promise<Judgement> {
    const env = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
    const { stdout } = spawnSync('git', ['receive-pack', '--stateless-rpc', this.#twin], { input: body, env })
    return await judgementIn(stdout)
  }

  /** Whether the key may push these paths; undefined if the names alone do not decide. */
  #mayBring(after: string): boolean | undefined {
    const listed = git(
      this.#twin,
      'log',
      '-m',
      '--first-parent',
      '-z',
      '--format=',
      '--name-only',
      '--no-renames',
      `${this.#base.head}..${after}`,
    )
    const paths = listed.split(/[\0\n]/).filter((path) => path !== '')
    if (paths.some((path) => !MAY_BRING.test(path) && !DEPENDS.test(path))) return false
    return paths.some((path) => DEPENDS.test(path)) ? undefined : true
  }

  /** Resets main without the hooks, which protect history. */
  #putBack(gitdir: string): void {
    git(gitdir, '-c', 'core.hooksPath=/dev/null', 'update-ref', MAIN, this.#base.head)
  }
}

/** Leaves out git's own reason: it names only the first faulty object, and which is first depends on the program that unpacks the push. */
async function judgementIn(answer: Buffer): Promise<Judgement> {
  const { report, said } = await readBands(answer)
  const isTaken = report.includes(`ok ${MAIN}`)
  const ours = said
    .split('\n')
    .filter((line) => /^palimpsest: (?:refused|warning): /.test(line) && !isOfHttpAlone(line))
  const reasons = isTaken || ours.length > 0 ? ours : ['git does not take its objects']
  return { isTaken, reasons, said: `${said}${report}` }
}

/** Around git's own words, and on what only HTTP tells: objects are missing in git's words by path, and PUT would refuse a page. */
function isOfHttpAlone(line: string): boolean {
  return /git does not take these objects|the push lacks objects| is an empty page| is not UTF-8| no start page[,:]/.test(
    line,
  )
}

/** Reads the lines that a client shows as `remote:`, and the report (gitprotocol-capabilities, side-band-64k). */
async function readBands(answer: Buffer): Promise<{ report: string; said: string }> {
  const reader = new PktLineReader(Readable.from([answer]) as AsyncIterable<Buffer>)
  const bands: Buffer[][] = [[], [], [], []]
  for (let line = await reader.next(); line !== undefined; line = await reader.next())
    if (Buffer.isBuffer(line)) bands[line[0] ?? 0]?.push(Buffer.from(line.subarray(1)))
  const [, report = '', said = ''] = bands.map((parts) => Buffer.concat(parts).toString())
  return { report, said }
}
