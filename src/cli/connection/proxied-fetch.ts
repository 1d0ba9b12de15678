// `fetch` for commands, through the proxy that the environment names: as git and curl do, and Node 20 does not.

import type { Dispatcher } from 'undici'
import { apiBaseUrl } from './credentials.js'
import { directFetch } from './direct-fetch.js'
import { Unusable } from './unusable.js'

type Environment = Readonly<Record<string, string | undefined>>

/** No proxy could reach these as this machine means them; names below `localhost` count too. */
const OWN_HOSTS = 'localhost,127.0.0.1,[::1]'

let dispatcher: Promise<Dispatcher | undefined> | undefined

/** Sends a request. Throws Unusable for a variable that names no proxy. */
export async function proxiedFetch(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const through = await (dispatcher ??= dispatcherFor(process.env))
  if (through === undefined && input instanceof Request) return await directFetch(input, init?.signal)
  return await fetch(input, through === undefined ? init : withDispatcher(init, through))
}

/** Node's own types name another version of the dispatcher than the library's. */
function withDispatcher(init: RequestInit | undefined, through: object): RequestInit {
  return Object.assign({ ...init }, { dispatcher: through })
}

/** Says which proxy may have a part in it that the service was not reached; empty without one. */
export function wordsOfProxy(env: Environment): string {
  const { protocol, hostname } = new URL(apiBaseUrl(env))
  const isOwn =
    hostname === 'localhost' || hostname.endsWith('.localhost') || /^(?:127\.0\.0\.1|\[::1\])$/.test(hostname)
  const found = proxyIn(env, protocol === 'https:' ? 'https_proxy' : 'http_proxy') ?? proxyIn(env, 'http_proxy')
  if (isOwn || found === undefined) return ''
  return ` The proxy is ${found.url.origin} (${found.name}), unless NO_PROXY names the host.`
}

/** Undefined without a proxy. Its code is loaded late: most commands need none. */
async function dispatcherFor(env: Environment): Promise<Dispatcher | undefined> {
  const [http, https] = [proxyIn(env, 'http_proxy'), proxyIn(env, 'https_proxy')]
  const exceptions = env['no_proxy'] ?? env['NO_PROXY'] ?? ''
  if ((http ?? https) === undefined || exceptions.trim() === '*') return undefined
  const { EnvHttpProxyAgent } = await import('undici')
  return new EnvHttpProxyAgent({
    httpProxy: http?.url.href ?? '',
    httpsProxy: (https ?? http)?.url.href ?? '',
    noProxy: `${exceptions},${OWN_HOSTS}`,
    // A tunnel is for TLS: many proxies refuse one to a plain port.
    proxyTunnel: false,
  })
}

/** Returns the proxy that the variable names, in lower or upper case. Throws Unusable. */
function proxyIn(env: Environment, lower: string): { name: string; url: URL } | undefined {
  const name = env[lower] === undefined ? lower.toUpperCase() : lower
  const text = env[name]
  if (!text) return undefined
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return { name, url: new URL(url) }
  // The value is not shown: it may hold a password.
  throw new Unusable(`${name} names no http or https proxy: set it to an address such as http://proxy.example:3128.`)
}
