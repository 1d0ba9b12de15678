// The reverse proxies of deploy/ for one process, for two roles and for three nodes, as they are there but for names, ports and certificates.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { accepts, freePort } from './ports.js'
import { PATIENCE_MS } from '../support/within.js'

const START_LIMIT_MS = PATIENCE_MS
const LOOK_AGAIN_MS = 50

/** The place of a proxy, and the ports to which it passes requests. */
export interface ProxyPlace {
  /** Holds its files; its certificate, which signs itself, is `fullchain.pem`. */
  folder: string
  /** The port of the service, those of its roles, or those of its three nodes. */
  servicePort: number | Roles | readonly number[]
  /** The name of the API's host. */
  baseHost: string
}

/** The port of the role api, and those of two processes with the role sites. */
export interface Roles {
  api: number
  sites: readonly [number, number]
}

interface Ports {
  http: number
  https: number
}

export interface Proxy extends Ports {
  stop: () => Promise<void>
}

export interface Terminator {
  name: string
  program: string
  /** Writes its configuration, and answers how it is started. */
  prepare(place: ProxyPlace & Ports): { args: string[]; env?: Record<string, string> }
}

function settingsFor({ folder, baseHost, servicePort }: ProxyPlace, name: string): string {
  const { file, ports } =
    typeof servicePort === 'number'
      ? { file: `deploy/one/${name}`, ports: { '127.0.0.1:8080': servicePort } }
      : 'api' in servicePort
        ? { file: `deploy/roles/${name}`, ports: rolesAt(servicePort) }
        : { file: `deploy/${name}`, ports: nodesAt(servicePort) }
  const text = readFileSync(file, 'utf8')
  const named = text.replaceAll('/etc/ssl/palimpsest', folder).replaceAll('pages.example', baseHost)
  return Object.entries(ports).reduce((all, [from, port]) => all.replaceAll(from, `127.0.0.1:${port}`), named)
}

const rolesAt = ({ api, sites: [first, second] }: Roles) => ({
  '127.0.0.1:8080': api,
  '127.0.0.1:8081': first,
  '127.0.0.1:8082': second,
})

const nodesAt = (ports: readonly number[]) =>
  Object.fromEntries(ports.map((port, at) => [`10.0.0.${11 + at}:8080`, port]))

export const PROXIES: Terminator[] = [
  {
    name: 'nginx',
    program: '/usr/sbin/nginx',
    prepare(place) {
      const { folder, http, https } = place
      const site = settingsFor(place, 'nginx.conf')
        .replaceAll('listen 443', `listen 127.0.0.1:${https}`)
        .replace('listen 80', `listen 127.0.0.1:${http}`)
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
        .join('\n')
      const user = process.getuid?.() === 0 ? 'user root;' : ''
      const whole = `${user} daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/log;
        events {} http { access_log off; ${temporary}\n${site} }`
      writeFileSync(join(folder, 'nginx.conf'), whole)
      return { args: ['-e', join(folder, 'log'), '-c', join(folder, 'nginx.conf')] }
    },
  },
  {
    name: 'Caddy',
    program: '/usr/bin/caddy',
    prepare(place) {
      const { folder, http, https } = place
      const site = settingsFor(place, 'Caddyfile')
      // Otherwise it ends only once no request is open.
      const options = `{\n\tgrace_period 1s\n\tadmin off\n\tskip_install_trust\n\tdefault_bind 127.0.0.1\n\thttp_port ${http}\n\thttps_port ${https}\n}\n`
      writeFileSync(join(folder, 'Caddyfile'), options + site)
      const env = { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder }
      return { args: ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], env }
    },
  },
]

/** The proxies of deploy/ for three nodes. */
export const NODE_PROXIES: Terminator[] = [
  ...PROXIES,
  {
    name: 'HAProxy',
    program: '/usr/sbin/haproxy',
    prepare(place) {
      const { folder, http, https } = place
      const site = settingsFor(place, 'haproxy.cfg')
        .replace('bind :443', `bind 127.0.0.1:${https}`)
        .replace('bind :80', `bind 127.0.0.1:${http}`)
      writeFileSync(join(folder, 'haproxy.cfg'), site)
      const certificate = ['fullchain.pem', 'key.pem'].map((name) => readFileSync(join(folder, name), 'utf8')).join('')
      writeFileSync(join(folder, 'haproxy.pem'), certificate)
      return { args: ['-db', '-f', join(folder, 'haproxy.cfg')] }
    },
  },
]

/** Undefined where the program is not installed. Resolves once it takes connections. */
export async function startProxy(proxy: Terminator, place: ProxyPlace): Promise<Proxy | undefined> {
  if (!existsSync(proxy.program)) return undefined
  const { folder, baseHost } = place
  const subject = ['-subj', `/CN=${baseHost}`, '-addext', `subjectAltName=DNS:${baseHost},DNS:*.sites.test`]
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'fullchain.pem')]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  execFileSync('openssl', ['req', '-x509', ...kind, ...subject, ...files], { stdio: 'ignore' })
  const ports = { http: await freePort(), https: await freePort() }
  const { args, env } = proxy.prepare({ ...place, ...ports })
  const child = spawn(proxy.program, args, { stdio: 'ignore', env: { ...process.env, ...env } })
  const late = performance.now() + START_LIMIT_MS
  while (!(await accepts(ports.https))) {
    if (performance.now() > late || child.exitCode !== null) throw new Error(`${proxy.name} does not start`)
    await delay(LOOK_AGAIN_MS)
  }
  return { ...ports, stop: () => stop(child) }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}
