// The ways to a service that random streams take: its own port, and nginx and Caddy as they are documented.

import { mkdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { connect as connectByTls } from 'node:tls'
import { serve, type ServeProcess } from '../../scenarios/serve-process.js'
import { PROXIES, startProxy } from '../../servers/proxies.js'

export interface Endpoint {
  name: string
  port: number
  host: string
  isTls: boolean
}

/** A service with the endpoints that lead to it. */
export interface Ground {
  dataDir: string
  endpoints: Endpoint[]
  stop(): Promise<void>
}

export async function openGround(folder: string, withProxies: boolean): Promise<Ground> {
  const dataDir = join(folder, 'data')
  const env = { TRUSTED_PROXIES: '127.0.0.1,::1' }
  const service = await serve({ dataDir, env })
  const host = `localhost:${service.port}`
  const endpoints: Endpoint[] = [{ name: 'its port', port: service.port, host, isTls: false }]
  const stops: (() => Promise<void>)[] = []
  for (const proxy of withProxies ? PROXIES : []) {
    const place = join(folder, proxy.name)
    mkdirSync(place)
    const started = await startProxy(proxy, { folder: place, servicePort: service.port, baseHost: 'localhost' })
    if (started === undefined) console.log(`${proxy.name} is not installed: nothing is sent through it`)
    else {
      endpoints.push({ name: proxy.name, port: started.https, host, isTls: true })
      stops.push(started.stop)
    }
  }
  const stop = async () => {
    for (const stopProxy of stops) await stopProxy()
    await end(service)
  }
  return { dataDir, endpoints, stop }
}

async function end(service: ServeProcess): Promise<void> {
  service.signal('SIGTERM')
  await service.ended
}

export function connectTo({ port, isTls }: Endpoint): Socket {
  if (!isTls) return connect(port, '127.0.0.1')
  return connectByTls({ port, host: '127.0.0.1', servername: 'localhost', rejectUnauthorized: false })
}
