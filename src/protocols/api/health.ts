// `GET /healthz` says that the process answers. With `?verbose=1` it also lists the sites in trouble, for callers who may know that the
// sites exist. Programs on the same machine see all sites, the version of SQLite, the current bounds and the work. Admin keys see the sites
// of their workspace.

import type { IncomingMessage } from 'node:http'
import type { LimitReport } from '../../admission/admission.js'
import type { Figures, WorkRow } from '../../admission/figures.js'
import { sqliteVersion } from '../../catalog/sqlite/sqlite-version.js'
import type { Scope } from '../../model/rights/scopes.js'
import type { NotedTrouble } from '../../repository/health/troubles.js'
import type { Services } from '../../usecases/context/services.js'
import { authenticate } from '../../usecases/access/authenticate.js'
import { bearerOf } from './request/request-fields.js'

export interface Health {
  status: 'ok'
  troubles?: TroubleData[]
  /** The version of SQLite in use, for programs on the same machine. */
  sqlite?: string
  /** By the names of docs/configuration.md, for programs on the same machine. */
  bounds?: Readonly<Record<string, number>>
  /** The table of limits, with what is in use now, for programs on the same machine. */
  limits?: readonly LimitReport[]
  /** The work that runs and waits, for programs on the same machine. */
  work?: readonly WorkRow[]
  /** The state of the machines that share the data: for programs on this machine. */
  node?: object | undefined
  /** Only for a caller who asked for troubles and may not see them. */
  hint?: string
}

interface TroubleData {
  site: { id: string; slug: string }
  kind: string
  subject: string
  what: string
  remedy: string
  since: string
}

const ADMIN: Scope = 'admin'
const HINT = "Send a key with the scope admin to see the troubles of its workspace's sites."
/** Header fields that proxies add. A request with one of them came from another machine. */
const FORWARDED = /^(?:forwarded|via|x-forwarded-.*|x-real-ip)$/
const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3})$/
const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/

/** Returns only the status, unless the query asks for more. Never throws: a liveness probe must not fail because of a key. */
export function healthOf(
  services: Services,
  request: IncomingMessage,
  query: URLSearchParams,
  requests: Figures,
): Health {
  if (query.get('verbose') !== '1') return { status: 'ok' }
  const isVisible = visibilityFor(services, request)
  if (isVisible === undefined) return { status: 'ok', hint: HINT }
  const troubles = services.store.troubles.list().filter(isVisible).map(formatTrouble)
  if (!isOnThisMachine(services, request)) return { status: 'ok', troubles }
  const { admission, limits, replica } = services
  const bounds = boundsOf({ ...limits, ...admission.sizes })
  const work = [{ name: 'api-requests', ...requests }, ...admission.work()]
  const sqlite = sqliteVersion()
  return { status: 'ok', troubles, sqlite, bounds, limits: admission.report(), work, node: replica.report(true) }
}

/** Returns the bounds under the names of their settings: `maxHtmlBytes` is MAX_HTML_BYTES. */
function boundsOf(limits: object): Record<string, number> {
  const nameOf = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
  const set = Object.entries<number | undefined>({ ...limits }).filter(
    (entry): entry is [string, number] => entry[1] !== undefined,
  )
  return Object.fromEntries(set.map(([name, value]) => [nameOf(name), value]))
}

function visibilityFor(services: Services, request: IncomingMessage): ((trouble: NotedTrouble) => boolean) | undefined {
  if (isOnThisMachine(services, request)) return () => true
  let principal
  try {
    principal = authenticate(services, bearerOf(request))
  } catch {
    return undefined
  }
  const { workspaceId, sites, scopes } = principal
  if (!scopes.includes(ADMIN)) return undefined
  return ({ siteId }) =>
    (sites === null || sites.includes(siteId)) && services.catalog.sites.find(workspaceId, siteId) !== undefined
}

/**
 * Whether the request comes from this machine. True only if the base URL is local too. Behind a proxy on this machine, every request has a
 * local address, and a proxy may add no field.
 */
export function isOnThisMachine({ baseUrl }: Services, { socket, headers }: IncomingMessage): boolean {
  return (
    LOCAL_HOST.test(new URL(baseUrl).host) &&
    LOCAL_HOST.test(headers.host ?? '') &&
    LOOPBACK.test(socket.remoteAddress ?? '') &&
    !Object.keys(headers).some((name) => FORWARDED.test(name))
  )
}

function formatTrouble({ siteId: id, slug, kind, subject, what, remedy, since }: NotedTrouble): TroubleData {
  return { site: { id, slug }, kind, subject, what, remedy, since: since.toISOString() }
}
