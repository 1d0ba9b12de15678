// `fetch` to a handler of this process: real HTTP over a pair of streams, so that a request is no different for not having
// come over the network.

import { createServer, request as sendHttp, type IncomingMessage, type RequestListener } from 'node:http'
import { duplexPair } from 'node:stream'
import { buffer } from 'node:stream/consumers'

/** What the requests carry of the one that they are made for. */
export interface OnBehalfOf {
  /** The address that it came from. */
  remoteAddress: string | undefined
  headers: Readonly<Record<string, string>>
}

type Fetch = (request: Request) => Promise<Response>

export function createInProcessFetch(handler: RequestListener): (caller: OnBehalfOf) => Fetch {
  const server = createServer(handler)
  return ({ remoteAddress, headers }) =>
    async (request) => {
      const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer())
      const [ours, theirs] = duplexPair()
      server.emit('connection', Object.assign(theirs, { remoteAddress }))
      const { pathname, search, host } = new URL(request.url)
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        const sent = sendHttp({
          createConnection: () => ours,
          method: request.method,
          path: pathname + search,
          headers: { host, ...Object.fromEntries(request.headers), ...headers, connection: 'close' },
          signal: request.signal,
        })
        sent.once('response', resolve).once('error', reject).end(body)
      })
      return new Response(await buffer(answer), { status: answer.statusCode ?? 500, headers: fieldsOf(answer) })
    }
}

function fieldsOf({ headersDistinct }: IncomingMessage): Headers {
  const fields = new Headers()
  for (const [name, values] of Object.entries(headersDistinct))
    for (const value of values ?? []) fields.append(name, value)
  return fields
}
