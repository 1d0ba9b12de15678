// On a node: sends requests that write to a site on to the site's home, and those for what one node alone has, previews and uploads of
// deploys, to that node. It only guesses: whoever takes a request carries it out, wherever the site's home is.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { requestIdOf } from '../api/request/request-fields.js'
import { API_PREFIX } from '../api/routes/route.js'
import type { RequestHandler } from '../host/door.js'
import { sendFailure } from '../host/answer/plain-page.js'
import { isOfGit } from '../git-http/git-request.js'
import { sendRefusal as sendToGit } from '../git-http/send.js'
import { ServiceError } from '../model/errors.js'
import { markedPartOf } from '../model/hosts/preview-label.js'
import { holderOf, homeOf } from '../nodes/homes.js'
import type { Peers } from '../nodes/peers.js'
import type { Services } from '../usecases/context/services.js'
import { sendJsonRefusal } from './send-json-refusal.js'
import { siteOfRequest } from './site-of-request.js'

export interface HomeParts {
  services: Services
  /** This node's inner address. */
  own: string
  others: () => readonly { address: string | null }[]
  /** Whether this node can store anything. */
  isFit: () => boolean
  peers: Peers
  logger: Pick<Logger, 'warn'>
}

/** Answers a request that could not be sent on. */
type Refuse = (request: IncomingMessage, response: ServerResponse, error: ServiceError) => void

const DEPLOY = new RegExp(`^${API_PREFIX}/deploys/([0-9a-fA-F-]{36})(?:[/?]|$)`)

export class HomeForwarding {
  readonly #parts: HomeParts
  readonly #fromPeers = new WeakSet<IncomingMessage>()

  constructor(parts: HomeParts) {
    this.#parts = parts
  }

  /** Another node has sent it: it is carried out here. */
  noteFromPeer(request: IncomingMessage): void {
    this.#fromPeers.add(request)
  }

  /** Answers a request for the base host: by `here`, or by the node that is to carry it out. */
  take(request: IncomingMessage, response: ServerResponse, here: RequestHandler): void {
    if (this.#fromPeers.has(request)) return void here(request, response)
    const [, deploy] = DEPLOY.exec(request.url ?? '') ?? []
    const holder = deploy && this.#holderOf(deploy)
    if (holder !== undefined) void this.#passToHolder(holder, request, response, refuse)
    else if (!isWrite(request)) here(request, response)
    else void this.#passHome(request, response, here)
  }

  /** What answers requests for a preview that another node has; undefined where no other one has it. */
  previewElsewhere(label: string): RequestHandler | undefined {
    const holder = this.#holderOf(markedPartOf(label))
    if (holder === undefined) return undefined
    return (request, response) => {
      if (this.#fromPeers.has(request)) return sendFailure(response, nobodyAnswers())
      return this.#passToHolder(holder, request, response, (_request, answer, error) => sendFailure(answer, error))
    }
  }

  async #passHome(request: IncomingMessage, response: ServerResponse, here: RequestHandler): Promise<void> {
    const { services, own, peers, isFit } = this.#parts
    const siteId = this.#addresses().length === 0 ? undefined : await siteOfRequest(services, request)
    const home = siteId === undefined ? own : (homeOf(siteId, [...(isFit() ? [own] : []), ...this.#addresses()]) ?? own)
    const isElsewhere = home !== own && (await peers.answers(home))
    if (response.destroyed) return
    if (!isElsewhere) return void here(request, response)
    peers.pass(home, request, response, (_request, _response, isUnsent) => {
      // Where nothing of the request has been read either, it can still be carried out here.
      if (isUnsent && !request.readableDidRead) here(request, response)
      else refuse(request, response, this.#lost(home, request, isUnsent))
    })
  }

  /** Nobody else has what it asks for. */
  async #passToHolder(
    holder: string,
    request: IncomingMessage,
    response: ServerResponse,
    refuseIt: Refuse,
  ): Promise<void> {
    const { peers } = this.#parts
    const answers = await peers.answers(holder)
    if (response.destroyed) return
    if (!answers) return refuseIt(request, response, this.#lost(holder, request, true))
    peers.pass(holder, request, response, (_request, _response, isUnsent) =>
      refuseIt(request, response, this.#lost(holder, request, isUnsent)),
    )
  }

  #addresses(): string[] {
    return this.#parts.others().flatMap(({ address }) => address ?? [])
  }

  #holderOf(marked: string): string | undefined {
    return holderOf(marked, this.#addresses())
  }

  #lost(address: string, request: IncomingMessage, isUnsent: boolean): ServiceError {
    this.#parts.logger.warn({ node: address, path: request.url?.replace(/\?.*/s, '') }, 'a request was sent on in vain')
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    return isUnsent || isRead ? nobodyAnswers() : new ServiceError('outcome_unknown', UNKNOWN)
  }
}

const UNKNOWN =
  'The node that was to carry this out does not answer: the change may have been made. Look before you try again.'

function nobodyAnswers(): ServiceError {
  return new ServiceError('service_busy', 'The node that has this does not answer. Try again in a few seconds.')
}

/** By its method and path alone. A push begins with a question, which keeps main still for it. */
function isWrite({ method, url = '' }: IncomingMessage): boolean {
  if (isOfGit(url)) return url.endsWith('service=git-receive-pack') || url.endsWith('/git-receive-pack')
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return false
  return url.startsWith(`${API_PREFIX}/`) || /^\/mcp(?:\?|$)/.test(url)
}

/** As the door of the request would word it. */
function refuse(request: IncomingMessage, response: ServerResponse, error: ServiceError): void {
  if (isOfGit(request.url ?? '')) sendToGit(request, response, error, 503)
  else sendJsonRefusal(request, response, error, requestIdOf(request))
}
