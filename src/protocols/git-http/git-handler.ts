// Serves git's clients at `/git/<slug>.git` on the base host: finds the caller and the repository, and hands the request to
// upload-pack or receive-pack. Refusals are plain sentences, which git shows as `remote:` lines.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Site } from '../../catalog/site.js'
import { refuseOrigin } from '../http/own-origin.js'
import { noValidKey } from '../../model/errors.js'
import type { Principal } from '../../model/principal.js'
import { authenticateBearer } from '../../usecases/access/authenticate.js'
import { findRepository, mayPublish } from '../../usecases/access/repository-access.js'
import type { Services } from '../../usecases/context/services.js'
import { findFirstCommit } from '../../usecases/pushes/receive-objects.js'
import { advertisement } from './advertisement.js'
import { credentialOf, type GitRequest, isOfLfs, parseGitRequest } from './git-request.js'
import { serveReceivePack } from './receive-pack.js'
import { type GitRefusal, sendLong, sendNoLfs, sendRefusal } from './send.js'
import { serveUploadPack } from './upload-pack.js'

/** A token for the API is one for git too, which reads and writes the same sites. */
const API = '/api/v1'

export interface GitHandlerParts {
  services: Services
  /** Logs the request once it is answered, and returns its id. Never the key. */
  logRequest: (request: IncomingMessage, response: ServerResponse, principal: () => Principal | undefined) => string
  /** Returns the refusal, and its status and `Retry-After`, for an error; reports faults of the service. */
  refusalOf: (error: unknown, requestId: string) => GitRefusal
}

/** Takes the requests for which `isOfGit` is true. It does not reject. */
export function createGitHandler(
  parts: GitHandlerParts,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    let principal: Principal | undefined
    const requestId = parts.logRequest(request, response, () => principal)
    try {
      if (isOfLfs(request.url ?? '')) return sendNoLfs(request, response)
      const asked = parseGitRequest(request)
      principal = await authenticate(parts.services, request)
      await answer(parts.services, asked, { request, response, principal })
    } catch (error) {
      sendRefusal(request, response, parts.refusalOf(error, requestId))
    }
  }
}

/** Finds the caller as of now; undefined for a request without a key. Throws `unauthenticated` and `origin_not_allowed`. */
async function authenticate(services: Services, request: IncomingMessage): Promise<Principal | undefined> {
  await services.replica.untilCurrent()
  const credential = credentialOf(request)
  if (credential === undefined) return undefined
  const principal = await authenticateBearer(services, credential, API)
  // A browser sends a key that was typed into its own prompt with requests of any page.
  refuseOrigin(request.headers, services.baseUrl, principal.origins ?? services.allowedOrigins)
  return principal
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  principal: Principal | undefined
}

/** Charges a fetch of a public repository to the repository's workspace, with or without a key. */
async function answer(services: Services, asked: GitRequest, exchange: Exchange): Promise<void> {
  const need = asked.service === 'git-receive-pack' ? 'propose' : 'read'
  const site = findRepository(services, exchange.principal, asked.slug, need)
  await services.admission.enter(site.workspaceId, exchange.principal)
  if (need === 'propose') await answerPush(services, site, asked, exchange)
  else await answerFetch(services, site, asked, exchange)
}

async function answerFetch(
  services: Services,
  site: Site,
  asked: GitRequest,
  { request, response, principal }: Exchange,
): Promise<void> {
  await services.pushLine.expectAgain(site, principal)
  if (asked.isDiscovery) await advertise(services, site, asked, response)
  else await serveUploadPack(services, { site, version: asked.version, request, response })
}

async function answerPush(
  services: Services,
  site: Site,
  asked: GitRequest,
  { request, response, principal }: Exchange,
): Promise<void> {
  if (principal === undefined) throw noValidKey()
  if (asked.isDiscovery) {
    if (mayPublish(services, principal, site)) await services.pushLine.expect(site, principal)
    return await advertise(services, site, asked, response)
  }
  const askAgain = async () => {
    const again = await authenticate(services, request)
    if (again === undefined) throw noValidKey()
    return { principal: again, site: findRepository(services, again, asked.slug, 'propose') }
  }
  await serveReceivePack(services, { site, principal, askAgain, request, response })
}

async function advertise(services: Services, site: Site, asked: GitRequest, response: ServerResponse): Promise<void> {
  const type = `application/x-${asked.service}-advertisement`
  const refs = () => services.store.reader.advertisedRefs(site)
  const isBlank = asked.service === 'git-receive-pack' && findFirstCommit({ ...services, site }) !== undefined
  await sendLong(services.admission.answers, site.workspaceId, response, type, advertisement(refs, asked, isBlank))
}
