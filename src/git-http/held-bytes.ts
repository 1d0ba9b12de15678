// Limits the memory of the git door: requests while they are read and answered, and long answers until the client has taken them. All
// workspaces share one limit.

import type { ServerResponse } from 'node:http'
import { ByteBudget } from '../model/byte-budget.js'
import { ServiceError } from '../model/errors.js'
import { sendBytes } from './send.js'

const HELD_BYTES = 64 * 1024 * 1024
/** Shorter answers go into the buffers of the connection at once or soon. */
const MIN_ANSWER_BYTES = 64 * 1024
/** Milliseconds that a request or an answer waits for others to end. */
const MAX_WAIT_MS = 2000

export class HeldBytes {
  readonly #budget = new ByteBudget(HELD_BYTES)

  /** Runs the work with a request of at most so many bytes. Throws `service_busy` if there is no room for them in time. */
  async during(workspaceId: string, bytes: number, work: () => Promise<void>): Promise<void> {
    if (!(await this.#budget.takeWithin(MAX_WAIT_MS, workspaceId, bytes)))
      throw new ServiceError('service_busy', 'Too many requests are read at once. Try again shortly.')
    try {
      await work()
    } finally {
      this.#budget.give(workspaceId, bytes)
    }
  }

  /** Sends the answer. A long one counts until the client has taken it. Throws `service_busy` if there is no room in time. */
  async send(workspaceId: string, response: ServerResponse, type: string, bytes: Buffer): Promise<void> {
    const { length } = bytes
    if (length >= MIN_ANSWER_BYTES) {
      if (!(await this.#budget.takeMadeWithin(MAX_WAIT_MS, workspaceId, length)))
        throw new ServiceError('service_busy', 'Too many long answers wait for their clients. Try again shortly.')
      const give = () => this.#budget.give(workspaceId, length)
      if (response.closed) return give()
      response.once('close', give)
    }
    sendBytes(response, type, bytes)
  }
}
