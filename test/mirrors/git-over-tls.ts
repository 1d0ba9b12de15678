// `git http-backend` behind nginx with TLS, as git-http-backend(1) sets it up: with a certificate of an authority that nobody knows but who is
// told of it, and with a user name and a password, or a bearer token, asked for.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { accepts, freePort } from '../servers/ports.js'

const BACKEND = '/usr/lib/git-core/git-http-backend'
const START_LIMIT_MS = 10_000

export const LOGIN = { username: 'ada', password: 'open sesame' }
export const TOKEN = 'a-token'

export class GitOverTls {
  readonly authority: string
  readonly #folder: string
  readonly #ports: { good: number; selfSigned: number; plain: number }
  #children: ChildProcess[] = []

  static async make(folder: string): Promise<GitOverTls> {
    return new GitOverTls(folder, { good: await freePort(), selfSigned: await freePort(), plain: await freePort() })
  }

  constructor(folder: string, ports: { good: number; selfSigned: number; plain: number }) {
    this.#folder = folder
    this.#ports = ports
    this.authority = join(folder, 'ca.pem')
    mkdirSync(join(folder, 'repositories'), { recursive: true })
    const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' })
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
    openssl('req', '-x509', ...key, '-subj', '/CN=Authority', '-keyout', 'ca.key', '-out', 'ca.pem')
    openssl('req', ...key.slice(0, -2), '-subj', '/CN=git', '-keyout', 'good.key', '-out', 'good.csr')
    writeFileSync(join(folder, 'names'), 'subjectAltName=IP:127.0.0.1\n')
    const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names']
    openssl('x509', '-req', '-in', 'good.csr', ...signed, '-out', 'good.pem')
    openssl('req', '-x509', ...key, '-subj', '/CN=self', '-keyout', 'self.key', '-out', 'self.pem')
    const hash = execFileSync('openssl', ['passwd', '-apr1', LOGIN.password], { encoding: 'utf8' })
    writeFileSync(join(folder, 'users'), `${LOGIN.username}:${hash}`)
    writeFileSync(join(folder, 'nginx.conf'), this.#configuration())
  }

  /** Of a repository of this name, by user name and password. */
  get urls() {
    const { good, selfSigned, plain } = this.#ports
    return {
      basic: (name: string) => `https://127.0.0.1:${good}/basic/${name}.git`,
      bearer: (name: string) => `https://127.0.0.1:${good}/bearer/${name}.git`,
      otherName: (name: string) => `https://localhost:${good}/basic/${name}.git`,
      selfSigned: (name: string) => `https://127.0.0.1:${selfSigned}/basic/${name}.git`,
      plain: (name: string) => `http://127.0.0.1:${plain}/basic/${name}.git`,
      wrongScheme: (name: string) => `https://127.0.0.1:${plain}/basic/${name}.git`,
    }
  }

  /** An empty repository that takes pushes. */
  create(name: string): string {
    const repository = join(this.#folder, 'repositories', `${name}.git`)
    execFileSync('git', ['init', '-q', '--bare', '--initial-branch=main', repository])
    execFileSync('git', ['-C', repository, 'config', 'http.receivepack', 'true'])
    return repository
  }

  async start(): Promise<void> {
    const socket = join(this.#folder, 'fcgi.sock')
    rmSync(socket, { force: true })
    this.#children = [
      spawn('fcgiwrap', ['-c', '4', '-s', `unix:${socket}`], { stdio: 'ignore', detached: true }),
      spawn('nginx', ['-e', 'stderr', '-c', join(this.#folder, 'nginx.conf')], { stdio: 'ignore', detached: true }),
    ]
    const late = performance.now() + START_LIMIT_MS
    while (!existsSync(socket) || !(await accepts(this.#ports.good))) {
      if (performance.now() > late) throw new Error('nginx and fcgiwrap do not start')
      await pause(20)
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

  #configuration(): string {
    const folder = this.#folder
    const { good, selfSigned, plain } = this.#ports
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`)
    const user = process.getuid?.() === 0 ? 'user root;' : ''
    const server = (port: number, name: string) => `server {
        listen 127.0.0.1:${port} ssl; ssl_certificate ${folder}/${name}.pem; ssl_certificate_key ${folder}/${name}.key;
        location ~ ^/basic(?<path>/.*) { auth_basic git; auth_basic_user_file ${folder}/users; ${this.#pass()} }
        location ~ ^/bearer(?<path>/.*) { if ($http_authorization != "Bearer ${TOKEN}") { return 401; } ${this.#pass()} }
      }`
    return `${user} daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr;
      events { worker_connections 64; }
      http { ${temporary.join(' ')} access_log off; client_max_body_size 0;
        ${server(good, 'good')} ${server(selfSigned, 'self')}
        server { listen 127.0.0.1:${plain}; location / { return 301 https://127.0.0.1:${good}$request_uri; } } }`
  }

  #pass(): string {
    const parameters = {
      SCRIPT_FILENAME: BACKEND,
      GIT_PROJECT_ROOT: join(this.#folder, 'repositories'),
      GIT_HTTP_EXPORT_ALL: '""',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
      HTTP_GIT_PROTOCOL: '$http_git_protocol',
      PATH_INFO: '$path',
      QUERY_STRING: '$query_string',
      REQUEST_METHOD: '$request_method',
      CONTENT_TYPE: '$content_type',
      CONTENT_LENGTH: '$content_length',
      REMOTE_ADDR: '$remote_addr',
      REMOTE_USER: 'mirror',
    }
    const lines = Object.entries(parameters).map(([name, value]) => `fastcgi_param ${name} ${value};`)
    return `fastcgi_pass unix:${this.#folder}/fcgi.sock; ${lines.join(' ')}`
  }
}
