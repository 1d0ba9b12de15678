// Starts the peers that hosting is compared with, each in its own process on the service's core.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { accepts, freePort } from '../../test/servers/ports.js'
import { isInstalled, SERVER_CORE } from './load.js'

const PEER_SERVER = fileURLToPath(new URL('./peer-server.js', import.meta.url))
const START_LIMIT_MS = 5000

export interface Peer {
  port: number
  stop(): Promise<void>
}

/** By name. Each serves a folder as described in ./peer-server.ts; undefined if it is not installed. */
export const PEERS: Record<string, (folder: string) => Promise<Peer | undefined>> = {
  'bare node:http': (folder) => startNode('bare', folder),
  Koa: (folder) => startNode('koa', folder),
  sirv: (folder) => startNode('sirv', folder),
  nginx: startNginx,
  Caddy: startCaddy,
}

async function startNode(kind: string, folder: string): Promise<Peer> {
  const child = spawn('taskset', ['-c', SERVER_CORE, process.execPath, PEER_SERVER, kind, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  return { port: Number(port), stop: () => end(child) }
}

/** Starts nginx with one worker, which compresses as usual: `gzip on`, at its default level. */
async function startNginx(folder: string): Promise<Peer | undefined> {
  if (!(await isInstalled('nginx'))) return undefined
  const port = await freePort()
  const file = join(folder, 'nginx.conf')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`)
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  writeFileSync(
    file,
    `${user} daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr;
    events { worker_connections 1024; }
    http {
      ${temporary.join(' ')}
      access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000;
      open_file_cache max=1000; types { text/html html; } gzip on; gzip_vary on;
      server { listen 127.0.0.1:${port}; root ${folder}; location / { try_files $uri.html =404; } }
    }`,
  )
  return await startOn(folder, port, 'nginx', ['-e', 'stderr', '-c', file])
}

/** Starts Caddy, which serves the compressed files that are there. */
async function startCaddy(folder: string): Promise<Peer | undefined> {
  if (!(await isInstalled('caddy'))) return undefined
  const port = await freePort()
  const file = join(folder, 'Caddyfile')
  writeFileSync(
    file,
    `{
      admin off
      auto_https off
    }
    http://:${port} {
      bind 127.0.0.1
      root * ${folder}
      try_files {path}.html
      file_server {
        precompressed br gzip
      }
    }\n`,
  )
  return await startOn(folder, port, 'caddy', ['run', '--config', file, '--adapter', 'caddyfile'])
}

async function startOn(folder: string, port: number, command: string, args: readonly string[]): Promise<Peer> {
  // Caddy stores its last configuration in its home, and Go runs one thread for each core that it may use.
  const env = { ...process.env, GOMAXPROCS: '1', HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder }
  const child = spawn('taskset', ['-c', SERVER_CORE, command, ...args], { stdio: 'ignore', env })
  const late = performance.now() + START_LIMIT_MS
  while (!(await accepts(port))) {
    if (child.exitCode !== null || performance.now() > late) throw new Error(`${command} does not start`)
    await sleep(50)
  }
  return { port, stop: () => end(child) }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}
