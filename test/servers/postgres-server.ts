// A real PostgreSQL server in a temporary folder, which listens on a port of its own and goes with its test.

import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chmodSync, chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { freePort } from './ports.js'

/** Where Debian's packages put the programs, by version. */
const VERSIONS = '/usr/lib/postgresql'
const USER = 'palimpsest'
const START_LIMIT_MS = 30_000
const LOOK_AGAIN_MS = 20

/** The server's programs; undefined where none are installed. */
function findPrograms(): string | undefined {
  try {
    const newest = readdirSync(VERSIONS).toSorted((a, b) => Number(b) - Number(a))[0]
    return newest && join(VERSIONS, newest, 'bin')
  } catch {
    return undefined
  }
}

/** PostgreSQL refuses to be run by root: then its own user runs it, or whoever owns nothing. */
function ownerOf(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string) =>
    Number(execFileSync('sh', ['-c', `id ${flag} postgres || id ${flag} nobody`], { stdio: 'pipe' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

export class PostgresServer {
  readonly folder: string
  readonly port: number
  readonly #programs: string
  readonly #owner: { uid: number; gid: number } | undefined
  #process: ChildProcess | undefined
  #databases = 0

  private constructor(programs: string, port: number) {
    this.#programs = programs
    this.port = port
    this.#owner = ownerOf()
    this.folder = mkdtempSync(join(tmpdir(), 'palimpsest-postgres-'))
    if (this.#owner !== undefined) chownSync(this.folder, this.#owner.uid, this.#owner.gid)
    chmodSync(this.folder, 0o700)
  }

  /** A server that has started; undefined where none is installed. */
  static async launch(): Promise<PostgresServer | undefined> {
    const programs = findPrograms()
    if (programs === undefined) return undefined
    const server = new PostgresServer(programs, await freePort())
    server.run('initdb', '-D', server.folder, '--no-sync', '-A', 'trust', '-U', USER, '-E', 'UTF8', '--locale=C')
    server.configure({ listen_addresses: '127.0.0.1', port: server.port, unix_socket_directories: '' })
    await server.up()
    return server
  }

  /** A server that has started, or a test that is skipped where none is installed. */
  static async start(test: Mocha.Context): Promise<PostgresServer> {
    const server = await PostgresServer.launch()
    if (server !== undefined) return server
    assert.equal(process.env['CI'], undefined, `${VERSIONS} is not there: apt-get install postgresql`)
    process.stderr.write(`    ${VERSIONS} is not there: skipped (apt-get install postgresql)\n`)
    return test.skip()
  }

  /** A standby that each commit waits for from now on. It ends with its own `remove`. */
  async addSynchronousStandby(): Promise<PostgresServer> {
    const standby = new PostgresServer(this.#programs, await freePort())
    const source = ['-h', '127.0.0.1', '-p', String(this.port), '-U', USER]
    standby.run('pg_basebackup', '-D', standby.folder, ...source, '-R', '--checkpoint=fast', '--no-sync')
    standby.configure({ port: standby.port })
    await standby.up()
    await this.query("alter system set synchronous_standby_names = '*'")
    await this.query('select pg_reload_conf()')
    return standby
  }

  /** Makes a standby the primary. */
  async promote(): Promise<void> {
    this.run('pg_ctl', 'promote', '-D', this.folder, '-w')
  }

  /** Runs one of the server's programs as its user, and answers what it prints. */
  run(program: string, ...args: string[]): string {
    return execFileSync(join(this.#programs, program), args, { cwd: '/', stdio: 'pipe', ...this.#owner }).toString()
  }

  /** Settings of postgresql.conf, which count from the next start. */
  configure(settings: Record<string, string | number>): void {
    const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`)
    appendFileSync(join(this.folder, 'postgresql.conf'), lines.join(''))
  }

  /** Starts it, and resolves when it answers. */
  async up(): Promise<void> {
    for (const end = performance.now() + START_LIMIT_MS; ; await delay(LOOK_AGAIN_MS)) {
      // It ends by itself while children of a killed one are there.
      if (this.#process === undefined || this.#process.exitCode !== null) this.#process = this.#spawn()
      const isUp = await this.query('select 1').then(
        () => true,
        () => false,
      )
      if (isUp) return
      if (performance.now() > end) throw new Error('PostgreSQL did not start')
    }
  }

  #spawn(): ChildProcess {
    return spawn(join(this.#programs, 'postgres'), ['-D', this.folder], { cwd: '/', stdio: 'ignore', ...this.#owner })
  }

  /** Ends it: `SIGINT` after what is under way was rolled back, `SIGQUIT` at once; `SIGKILL` leaves its children behind for a moment. */
  async down(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL' = 'SIGINT'): Promise<void> {
    const server = this.#process
    this.#process = undefined
    if (server === undefined || server.exitCode !== null || !server.kill(signal)) return
    await once(server, 'exit')
  }

  /** The URL of a new, empty database. */
  async createDatabase(): Promise<string> {
    const name = `test${this.#databases++}`
    await this.query(`create database ${name}`)
    return this.url(name)
  }

  url(database = 'postgres'): string {
    return `postgres://${USER}@127.0.0.1:${this.port}/${database}`
  }

  /** The rows that the text of a query answers, by a connection of its own. */
  async query(text: string, url = this.url()): Promise<Record<string, unknown>[]> {
    const client = new Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(text)).rows
    } finally {
      await client.end()
    }
  }

  /** Ends it and removes its folder. */
  async remove(): Promise<void> {
    await this.down('SIGQUIT')
    rmSync(this.folder, { recursive: true, force: true })
  }
}
