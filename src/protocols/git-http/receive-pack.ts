// Receives a push (gitprotocol-http, "Smart Service git-receive-pack").

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Site } from '../../catalog/site.js'
import { MalformedPktLine, PktLineReader } from '../../git/wire/pkt-lines.js'
import { encodePushReport, KEEPALIVE_PKT } from '../../git/wire/push-report.js'
import { MAX_SHALLOWS, type PushRequest, readPushRequest } from '../../git/wire/push-request.js'
import { ServiceError } from '../../model/errors.js'
import type { Principal } from '../../model/principal.js'
import { MAX_PUSH_REFS } from '../../repository/pushing/judge/ref-rules.js'
import type { Services } from '../../usecases/context/services.js'
import type { Push } from '../../usecases/pushes/push.js'
import { receivePush } from '../../usecases/pushes/receive-push.js'
import { bodyOf } from './body-of.js'
import { reachable } from './reachable.js'
import { sendBytes, setFields } from './send.js'

/** The request of a caller who may write to the site. Its body is not read yet (see `bodyOf`). */
export interface PushToServe {
  site: Site
  principal: Principal
  askAgain: Push['askAgain']
  request: IncomingMessage
  response: ServerResponse
}

const RESULT = 'application/x-git-receive-pack-result'
/** Proxies give up after a minute without bytes of an answer. */
const KEEPALIVE_MS = 5000

/** Serves a push; its body is not read before its turn. Throws ServiceError until the answer has begun. */
export async function serveReceivePack(services: Services, push: PushToServe): Promise<void> {
  await services.admission.gate('git-pushes').during(push.site.workspaceId, () => receive(services, push))
}

async function receive(
  services: Services,
  { site, principal, askAgain, request, response }: PushToServe,
): Promise<void> {
  // The receiver of the pack limits the bytes.
  const lines = new PktLineReader(bodyOf(request, Number.POSITIVE_INFINITY))
  const pushed = await readCommands(lines)
  // git tests its key with an empty push before it sends a long one.
  if (pushed.commandCount === 0) return sendBytes(response, RESULT, Buffer.alloc(0))
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const keepalive = setInterval(() => keepWaiting(pushed, request, response), KEEPALIVE_MS)
  try {
    const isCutOff = await isHistoryCutOff(services, site, pushed)
    const push = {
      ...services,
      ...pushed,
      site,
      principal,
      askAgain,
      pack: lines.rest(),
      isCutOff,
      signal: gone.signal,
    }
    const bytes = encodePushReport(pushed.capabilities, await receivePush(push))
    if (response.headersSent) response.end(bytes)
    else sendBytes(response, RESULT, bytes)
  } finally {
    clearInterval(keepalive)
  }
}

/** Whether a shallow clone lacks history that the site lacks too. Otherwise the site has all of it (gitprotocol-pack, "shallow"). */
async function isHistoryCutOff(services: Services, site: Site, { shallows }: PushRequest): Promise<boolean> {
  if (shallows.length === 0) return false
  if (shallows.length > MAX_SHALLOWS) return true
  const source = services.store.fetchSource(site)
  const known = await reachable(services, site, source, { wants: [], haves: [], shallows }, 0)
  return shallows.some((oid) => !known.has(oid))
}

async function readCommands(lines: PktLineReader): Promise<PushRequest> {
  try {
    return await readPushRequest(lines, MAX_PUSH_REFS)
  } catch (error) {
    if (!(error instanceof MalformedPktLine)) throw error
    throw new ServiceError('invalid_body', `This is not a push as git sends it: ${error.message}.`)
  }
}

function keepWaiting({ capabilities }: PushRequest, request: IncomingMessage, response: ServerResponse): void {
  if (!request.complete || !capabilities.has('side-band-64k')) return
  if (!response.headersSent) setFields(response, RESULT)
  response.write(KEEPALIVE_PKT)
}
