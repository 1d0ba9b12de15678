// `git http-backend` behind nginx and fcgiwrap, as git-http-backend(1) sets it up.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { accepts } from './ports.js'
import { PATIENCE_MS } from '../support/within.js'

export const GIT_HTTP_BACKEND = '/usr/lib/git-core/git-http-backend'
const START_LIMIT_MS = PATIENCE_MS
const LOOK_AGAIN_MS = 20

export class GitHttpBackend {
  readonly #folder: string
  readonly #socket: string
  readonly #repositories: string
  #children: ChildProcess[] = []

  /** All its files are in the folder. */
  constructor(folder: string) {
    this.#folder = folder
    this.#socket = join(folder, 'fcgi.sock')
    this.#repositories = join(folder, 'repositories')
    mkdirSync(this.#repositories, { recursive: true })
  }

  folderOf(name: string): string {
    return join(this.#repositories, `${name}.git`)
  }

  /** Creates an empty repository that accepts pushes from all clients that nginx lets through. Returns its folder. */
  create(name: string): string {
    const repository = this.folderOf(name)
    execFileSync('git', ['init', '-q', '--bare', '--initial-branch=main', repository])
    execFileSync('git', ['-C', repository, 'config', 'http.receivepack', 'true'])
    return repository
  }

  /** Returns the body of a location of nginx. `path` is the variable that holds the path after the location's own prefix. */
  pass(path: string, user?: string): string {
    const parameters = {
      SCRIPT_FILENAME: GIT_HTTP_BACKEND,
      GIT_PROJECT_ROOT: this.#repositories,
      GIT_HTTP_EXPORT_ALL: '""',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
      HTTP_GIT_PROTOCOL: '$http_git_protocol',
      PATH_INFO: path,
      QUERY_STRING: '$query_string',
      REQUEST_METHOD: '$request_method',
      CONTENT_TYPE: '$content_type',
      CONTENT_LENGTH: '$content_length',
      REMOTE_ADDR: '$remote_addr',
      ...(user !== undefined && { REMOTE_USER: user }),
    }
    const lines = Object.entries(parameters).map(([name, value]) => `fastcgi_param ${name} ${value};`)
    return `fastcgi_pass unix:${this.#socket}; ${lines.join(' ')}`
  }

  /** Starts nginx with these servers, and waits until `port` takes connections. */
  async start(servers: string, port: number): Promise<void> {
    rmSync(this.#socket, { force: true })
    const config = join(this.#folder, 'nginx.conf')
    writeFileSync(config, this.#configuration(servers))
    this.#children = [
      spawn('fcgiwrap', ['-c', '4', '-s', `unix:${this.#socket}`], { stdio: 'ignore', detached: true }),
      spawn('nginx', ['-e', 'stderr', '-c', config], { stdio: 'ignore', detached: true }),
    ]
    const late = performance.now() + START_LIMIT_MS
    while (!existsSync(this.#socket) || !(await accepts(port))) {
      if (performance.now() > late) throw new Error('nginx and fcgiwrap do not start')
      await pause(LOOK_AGAIN_MS)
    }
  }

  async stop(): Promise<void> {
    for (const child of this.#children.splice(0)) {
      const ended = once(child, 'exit')
      // fcgiwrap leaves its workers running: each program leads a group, which is ended together.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
      await ended
    }
  }

  #configuration(servers: string): string {
    const folder = this.#folder
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`)
    const user = process.getuid?.() === 0 ? 'user root;' : ''
    return `${user} daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr;
      events { worker_connections 64; }
      http { ${temporary.join(' ')} access_log off; client_max_body_size 0; ${servers} }`
  }
}
