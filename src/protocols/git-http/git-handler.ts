// Serves git's clients at `/git/<slug>.git` on the base host: finds the caller and the repository, and hands the request to
// upload-pack or receive-pack. Refusals are plain sentences, which git shows as `remote:` lines.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Site } from '../../catalog/site.js'
import { refuseOrigin } from '../http/own-origin.js'
import { noValidKey } from '../../model/errors.js'
import type { Principal } from '../../model/principal.js'
import { authenticateBearer } from '../../usecases/access/authenticate.js'
import { findRepository } from '../../usecases/access/repository-access.js'
import type { Services } from '../../usecases/context/services.js'
import { findFirstCommit } from '../../usecases/pushes/first-push.js'
import { expectPush, expectPushAgain } from '../../usecases/pushes/hold-main.js'
import { advertisement } from './advertisement.js'
import { credentialOf, type GitRequest, isOfLfs, parseGitRequest } from './git-request.js'
import type { ReceivePack } from './receive-pack.js'
import { type GitRefusal, sendLong, sendNoLfs, sendRefusal } from './send.js'
import type { UploadPack } from './upload-pack.js'

export interface GitHandlerParts {
  services: Services
  uploadPack: UploadPack
  receivePack: ReceivePack
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
      const authenticate = () => authenticateRequest(parts.services, request)
      principal = await authenticate()
      await answer(parts, asked, { request, response, principal, authenticate })
    } catch (error) {
      sendRefusal(request, response, parts.refusalOf(error, requestId))
    }
  }
}

/** Finds the caller as of now; undefined for a request without a key. Throws `unauthenticated` and `origin_not_allowed`. */
async function authenticateRequest(services: Services, request: IncomingMessage): Promise<Principal | undefined> {
  await services.replica.untilCurrent()
  const credential = credentialOf(request)
  if (credential === undefined) return undefined
  const principal = await authenticateBearer(services, credential, '/git')
  // A browser sends a key that was typed into its own prompt with requests of any page.
  refuseOrigin(request.headers, services.baseUrl, principal.origins ?? services.allowedOrigins)
  return principal
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  principal: Principal | undefined
  authenticate: () => Promise<Principal | undefined>
}

/** Charges a fetch of a public repository to the repository's workspace, with or without a key. */
async function answer(parts: GitHandlerParts, asked: GitRequest, exchange: Exchange): Promise<void> {
  const need = asked.service === 'git-receive-pack' ? 'write' : 'read'
  const site = findRepository(parts.services, exchange.principal, asked.slug, need)
  await parts.services.admission.enter(site.workspaceId, exchange.principal)
  await answerFor(parts, site, asked, exchange)
}

async function answerFor(
  { services, uploadPack, receivePack }: GitHandlerParts,
  site: Site,
  asked: GitRequest,
  { request, response, principal, authenticate }: Exchange,
): Promise<void> {
  const { service, isDiscovery, version } = asked
  const isPush = service === 'git-receive-pack'
  if (isPush && isDiscovery && principal !== undefined) await expectPush(services, site, principal)
  else if (!isPush) await expectPushAgain(services, site, principal)
  if (isDiscovery) {
    const type = `application/x-${service}-advertisement`
    const refs = () => services.store.advertisedRefs(site)
    const isBlank = isPush && findFirstCommit(services, site) !== undefined
    await sendLong(services.admission.answers, site.workspaceId, response, type, advertisement(refs, asked, isBlank))
  } else if (isPush) {
    if (principal === undefined) throw noValidKey()
    await receivePack.serve({ site, principal, authenticate, request, response })
  } else {
    await uploadPack.serve({ site, version, request, response })
  }
}
