// Runs programs through a shell that is started once: to start a program, a process is copied, and that of the tests has become so
// large that the copy takes longer than most programs do.

import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, openSync, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Ends with the process of the tests, and takes its folder with it. The descriptors are not for the programs. */
const LOOP = `exec 3<asked 4>answered
while read -r _ <&3; do (. ./command) <input >stdout 2>stderr 3<&- 4>&-; echo $? >&4; done
here=$PWD; cd / && rm -rf "$here"`

export interface Work {
  command: readonly string[]
  /** This process's own unless given. */
  env?: NodeJS.ProcessEnv
  cwd?: string
  /** Goes to its standard input. */
  input?: string | Uint8Array
}

class Shell {
  readonly folder = mkdtempSync(join(tmpdir(), 'palimpsest-shell-'))
  readonly #env = { ...process.env }
  readonly #asked: number
  readonly #answered: number

  constructor() {
    execFileSync('sh', ['-c', 'mkfifo asked answered'], { cwd: this.folder })
    const { env } = process
    spawn('sh', ['-c', LOOP], { cwd: this.folder, env, stdio: ['ignore', 'ignore', 'inherit'] }).unref()
    // Each waits until the shell opens its end.
    this.#asked = openSync(this.#path('asked'), 'w')
    this.#answered = openSync(this.#path('answered'), 'r')
  }

  #path(name: string): string {
    return join(this.folder, name)
  }

  run({ command, env = process.env, cwd = process.cwd(), input = '' }: Work): {
    status: number
    stdout: Buffer
    stderr: string
  } {
    const lines = [...this.#changesTo(env), `cd ${quote(cwd)}`, `exec ${command.map(quote).join(' ')}`]
    writeFileSync(this.#path('command'), lines.join('\n'))
    writeFileSync(this.#path('input'), input)
    writeSync(this.#asked, '\n')
    const answer = Buffer.alloc(8)
    const length = readSync(this.#answered, answer)
    if (length === 0) throw new Error('the shell of the tests has ended')
    return {
      status: Number(answer.subarray(0, length).toString()),
      stdout: readFileSync(this.#path('stdout')),
      stderr: readFileSync(this.#path('stderr'), 'utf8'),
    }
  }

  /** Returns the commands that change the shell's environment to `env`. */
  #changesTo(env: NodeJS.ProcessEnv): string[] {
    const set = Object.entries(env).flatMap(([name, value]) =>
      value === undefined || value === this.#env[name] ? [] : [`export ${name}=${quote(value)}`],
    )
    const unset = Object.keys(this.#env).flatMap((name) => (env[name] === undefined ? [`unset ${name}`] : []))
    return [...set, ...unset]
  }
}

let shell: Shell | undefined

/** Runs a program while this process waits, and returns its standard output. Throws with its own words when it fails. */
export function runHere(work: Work): Buffer {
  const { status, stdout, stderr } = (shell ??= new Shell()).run(work)
  if (status === 0) return stdout
  throw Object.assign(new Error(`Command failed: ${work.command.join(' ')}\n${stderr}`), { status, stdout, stderr })
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
