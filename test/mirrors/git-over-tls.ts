// `git http-backend` behind nginx with TLS, as git-http-backend(1) sets it up: with a certificate of a private authority, which clients
// must be told of. It asks for a user name and a password, or for a bearer token.

import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { GitHttpBackend } from '../servers/git-http-backend.js'
import { freePort } from '../servers/ports.js'

/** The user that git names in its log of pushes. */
const USER = 'mirror'

export const LOGIN = { username: 'ada', password: 'open sesame' }
export const TOKEN = 'a-token'

export class GitOverTls {
  readonly authority: string
  readonly #folder: string
  readonly #ports: { good: number; selfSigned: number; plain: number }
  readonly #backend: GitHttpBackend

  static async make(folder: string): Promise<GitOverTls> {
    return new GitOverTls(folder, { good: await freePort(), selfSigned: await freePort(), plain: await freePort() })
  }

  constructor(folder: string, ports: { good: number; selfSigned: number; plain: number }) {
    this.#folder = folder
    this.#ports = ports
    this.authority = join(folder, 'ca.pem')
    this.#backend = new GitHttpBackend(folder)
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
  }

  /** URLs of a repository by its name; `basic` takes a user name and a password. */
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

  /** An empty repository that takes pushes: its folder. */
  create(name: string): string {
    return this.#backend.create(name)
  }

  async start(): Promise<void> {
    await this.#backend.start(this.#servers(), this.#ports.good)
  }

  async stop(): Promise<void> {
    await this.#backend.stop()
  }

  #servers(): string {
    const folder = this.#folder
    const { good, selfSigned, plain } = this.#ports
    const pass = this.#backend.pass('$path', USER)
    const server = (port: number, name: string) => `server {
        listen 127.0.0.1:${port} ssl; ssl_certificate ${folder}/${name}.pem; ssl_certificate_key ${folder}/${name}.key;
        location ~ ^/basic(?<path>/.*) { auth_basic git; auth_basic_user_file ${folder}/users; ${pass} }
        location ~ ^/bearer(?<path>/.*) { if ($http_authorization != "Bearer ${TOKEN}") { return 401; } ${pass} }
      }`
    return `${server(good, 'good')} ${server(selfSigned, 'self')}
        server { listen 127.0.0.1:${plain}; location / { return 301 https://127.0.0.1:${good}$request_uri; } }`
  }
}
