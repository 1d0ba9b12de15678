// A real PostgreSQL server in a temporary folder, which listens on a port of its own and goes with its test.

import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chmodSync, chownSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { atEnd } from './at-end.js'
import { freePort } from './ports.js'
import { PATIENCE_MS } from '../support/within.js'

/** The folder of the programs in Debian's packages, by version. */
const VERSIONS = '/usr/lib/postgresql'
const USER = 'palimpsest'
const START_LIMIT_MS = PATIENCE_MS
const LOOK_AGAIN_MS = 20

/** The server's programs: those that POSTGRES_PROGRAMS names, or the newest of Debian's; undefined where none are installed. */
export function findPrograms(): string | undefined {
  const named = process.env['POSTGRES_PROGRAMS']
  if (named !== undefined) return named
  try {
    const newest = readdirSync(VERSIONS).toSorted((a, b) => Number(b) - Number(a))[0]
    return newest && join(VERSIONS, newest, 'bin')
  } catch {
    return undefined
  }
}

/** The user for PostgreSQL, which refuses to run as root: its own user, or `nobody`. */
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
  readonly #forget: () => void
  #process: ChildProcess | undefined
  #databases = 0

  private constructor(programs: string, port: number) {
    this.#programs = programs
    this.port = port
    this.#owner = ownerOf()
    this.folder = mkdtempSync(join(tmpdir(), 'palimpsest-postgres-'))
    if (this.#owner !== undefined) chownSync(this.folder, this.#owner.uid, this.#owner.gid)
    chmodSync(this.folder, 0o700)
    this.#forget = atEnd(() => {
      this.#process?.kill('SIGQUIT')
      this.#clear()
    })
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

  /** A server that has started. */
  static async start(): Promise<PostgresServer> {
    const server = await PostgresServer.launch()
    assert.ok(server, `${VERSIONS} is not there: apt-get install postgresql`)
    return server
  }

  /** A standby that each commit waits for from now on. It ends with its own `remove`. */
  async addSynchronousStandby(): Promise<PostgresServer> {
    const standby = await this.addStandby(this.port, 'standby')
    await this.waitForStandbys('standby')
    return standby
  }

  /** Has commits wait for standbys, as the setting `synchronous_standby_names` says it. */
  async waitForStandbys(names: string): Promise<void> {
    await this.query(`alter system set synchronous_standby_names = '${names}'`)
    await this.query('select pg_reload_conf()')
  }

  /** A standby that follows by this port under a name, and that nothing waits for. */
  async addStandby(port: number, name = 'standby'): Promise<PostgresServer> {
    const standby = new PostgresServer(this.#programs, await freePort())
    const label = await this.#copyTo(standby.folder)
    // No program of PostgreSQL 18's package copies a server, so it is done by hand.
    for (const [ownFile, text] of Object.entries({ backup_label: label, 'standby.signal': '' })) {
      const file = join(standby.folder, ownFile)
      writeFileSync(file, text)
      if (this.#owner !== undefined) chownSync(file, this.#owner.uid, this.#owner.gid)
    }
    rmSync(join(standby.folder, 'postmaster.pid'))
    standby.configure({
      port: standby.port,
      primary_conninfo: `host=127.0.0.1 port=${port} user=${USER} application_name=${name}`,
    })
    await standby.up()
    return standby
  }

  /** Answers the label that the copy needs. */
  async #copyTo(folder: string): Promise<string> {
    const client = new Client({ connectionString: this.url() })
    await client.connect()
    try {
      await client.query("select pg_backup_start('standby', true)")
      execFileSync('cp', ['-a', `${this.folder}/.`, folder], { stdio: 'pipe', ...this.#owner })
      const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
      return rows[0]?.labelfile ?? ''
    } finally {
      await client.end()
    }
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
    this.#clear()
    this.#forget()
  }

  /** A server that ends just now may still remove files of its own. */
  #clear(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 })
  }
}
