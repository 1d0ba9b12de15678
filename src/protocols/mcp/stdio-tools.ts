// The tool protocol over standard input and output. Nothing else may write to standard output.

import { Transform } from 'node:stream'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import type { ApiClient } from '../client/client.js'
import type { Operation } from './tools/operation.js'
import { apiOf } from './ask-api.js'
import { createToolServers, type Offer } from './tool-server.js'

/** More than any service accepts. The service refuses a message that is too large for it, and the connection stays open. */
const MAX_MESSAGE_BYTES = 128 * 1024 * 1024

/** Serves until standard input ends and all that was read is answered. */
export function serveTools(operations: readonly Operation[], client: ApiClient, offer: Offer): void {
  const toolServer = createToolServers(operations)
  const unanswered = new Unanswered()
  const input = process.stdin.pipe(unanswered.heldBack())
  const transport = new StdioServerTransport(input, process.stdout, { maxBufferSize: MAX_MESSAGE_BYTES })
  serveStdio(() => toolServer(apiOf(client), offer), {
    transport,
    maxSubscriptions: 0,
    onerror: (error) => process.stderr.write(`palimpsest mcp: ${error.message}\n`),
  })
  unanswered.watch(transport)
}

/** The fields of a JSON-RPC message that show what waits for an answer. */
interface Message {
  id?: string | number
  method?: string
  params?: { requestId?: string | number }
}

/** The requests that were read and not answered yet. The library ends them with its input. */
class Unanswered {
  readonly #ids = new Set<string | number | undefined>()
  #end: (() => void) | undefined

  /** A stream that passes everything on, and ends once all requests are answered. */
  heldBack(): Transform {
    return new Transform({
      transform: (chunk, _encoding, done) => done(null, chunk),
      // The last lines are read first.
      flush: (done) => void setImmediate(() => this.#endWith(done)),
    })
  }

  watch(transport: StdioServerTransport): void {
    const { onmessage } = transport
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the transport has no such method
    transport.onmessage = (message) => {
      const { id, method, params } = message as Message
      if (id !== undefined && method !== undefined) this.#ids.add(id)
      onmessage?.(message)
      // Nothing answers a request that was taken back.
      if (method === 'notifications/cancelled') this.#settle(params?.requestId)
    }
    const send = transport.send.bind(transport)
    transport.send = async (message) => {
      await send(message).finally(() => {
        const { id, method } = message as Message
        if (method === undefined) this.#settle(id)
      })
    }
  }

  #settle(id: string | number | undefined): void {
    this.#ids.delete(id)
    if (this.#ids.size > 0) return
    this.#end?.()
    this.#end = undefined
  }

  #endWith(done: () => void): void {
    if (this.#ids.size === 0) return done()
    this.#end = done
  }
}
