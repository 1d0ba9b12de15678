// Which site a request writes to, as far as its head tells: by the path, by the site that its header names, or by the one that is taken
// where none is named. A site that the body alone names is not seen, and neither
// is that of a page which its id alone names.

import type { IncomingMessage } from 'node:http'
import { targetIdsOf } from '../api/request/request-fields.js'
import { API_PREFIX } from '../api/routes/route.js'
import { principalOf } from '../api/sign-in/principal-of.js'
import { credentialOf, isOfGit, parseGitRequest } from '../git-http/git-request.js'
import { isUuid } from '../model/ids.js'
import type { Services } from '../usecases/context/services.js'
import { resolveTarget, siteOf } from '../usecases/context/target.js'

const PATH = new RegExp(`^${API_PREFIX}/([a-z]+)(?:/([^/?]+))?`)
/** What these paths name belongs to the site of the header, or to the default one. */
const OF_A_SITE = new Set(['batch', 'collections', 'deploys', 'files', 'pages'])
const TOOLS = /^\/mcp(?:\?|$)/

/** Undefined where the head does not tell, and for a caller whom this node does not know: then nobody else need hear of it. */
export async function siteOfRequest(services: Services, request: IncomingMessage): Promise<string | undefined> {
  try {
    return isOfGit(request.url ?? '') ? pushedSite(services, request) : await siteOfCall(services, request)
  } catch {
    // Here the request meets the same error, and is answered with it.
    return undefined
  }
}

function pushedSite({ catalog }: Services, request: IncomingMessage): string | undefined {
  const { slug } = parseGitRequest(request)
  return credentialOf(request) === undefined ? undefined : catalog.sites.findBySlug(slug)?.id
}

async function siteOfCall(services: Services, request: IncomingMessage): Promise<string | undefined> {
  const { url = '', headers } = request
  const [, kind = '', id] = PATH.exec(url) ?? []
  const principal = await principalOf(services, request)
  if (kind === 'sites') return id?.toLowerCase()
  if (!OF_A_SITE.has(kind) && !TOOLS.test(url)) return undefined
  const ids = targetIdsOf(headers)
  const isPage = kind === 'pages' && id !== undefined && isUuid(id)
  if (isPage && ids.siteId === undefined) return undefined
  return siteOf(services, { principal, target: resolveTarget(services, principal, ids, 'read') }).id
}
