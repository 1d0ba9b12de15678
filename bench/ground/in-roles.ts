// A service in its two roles over one folder, behind nginx, which hands requests on as deploy/roles/nginx.conf does.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { atEnd } from '../../test/servers/at-end.js'
import { accepts, freePort } from '../../test/servers/ports.js'
import { type RunningService, runService, type ServiceOptions } from './running-service.js'

const LOOK_AGAIN_MS = 20

/** The service that clients reach by way of nginx. Stopping it stops all three. */
export async function runInRoles(options: ServiceOptions): Promise<RunningService> {
  const [front, api, sites] = [await freePort(), await freePort(), await freePort()]
  const address = {
    BASE_URL: `http://localhost:${front}`,
    SITE_DOMAIN: `localhost:${front}`,
    TRUSTED_PROXIES: '127.0.0.1',
  }
  const shared = { ...options, env: { ...options.env, ...address } }
  const writer = await runService({ ...shared, role: 'api', port: api })
  const reader = await runService({ ...shared, role: 'sites', port: sites, dataDir: writer.dataDir })
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-nginx-'))
  const nginx = await startNginx(folder, { front, api, sites })
  return {
    ...writer,
    port: front,
    pids: [...writer.pids, ...reader.pids],
    async stop() {
      nginx.kill('SIGTERM')
      await once(nginx, 'exit')
      rmSync(folder, { recursive: true, force: true })
      await reader.stop()
      await writer.stop()
    },
  }
}

async function startNginx(folder: string, ports: { front: number; api: number; sites: number }): Promise<ChildProcess> {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`)
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const upstream = (name: string, port: number) => `upstream ${name} { server 127.0.0.1:${port}; keepalive 64; }`
  const fields = `proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; proxy_request_buffering off; client_max_body_size 0;
    proxy_buffers 8 64k; proxy_buffer_size 64k; proxy_busy_buffers_size 128k; keepalive_requests 1000000;`
  const file = join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `${user} daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr; events { worker_connections 4096; }
    http {
      access_log off; ${temporary.join(' ')} ${fields} ${upstream('api', ports.api)} ${upstream('sites', ports.sites)}
      server { listen 127.0.0.1:${ports.front}; server_name localhost;
        location / { proxy_pass http://api; } location /git/ { proxy_max_temp_file_size 0; proxy_pass http://api; } }
      server {
        listen 127.0.0.1:${ports.front}; server_name ~^[^.]+\\.localhost$;
        location / { proxy_intercept_errors on; error_page 421 = @api; proxy_pass http://sites; }
        location ~ ^/(_search|sitemap\\.xml|llms\\.txt)$ { proxy_pass http://api; }
        location @api { proxy_pass http://api; }
      }
    }`,
  )
  const nginx = spawn('nginx', ['-e', 'stderr', '-c', file], { stdio: ['ignore', 'ignore', 'inherit'] })
  atEnd(() => void nginx.kill('SIGKILL'))
  while (!(await accepts(ports.front))) await delay(LOOK_AGAIN_MS)
  return nginx
}
