// Bounds the memory of long answers, together with that of received bodies. A client that requests many of them and reads none slows only
// itself.

import type { ServerResponse } from 'node:http'
import type { MemoryShare } from './memory-budget.js'

/** Shorter answers are not counted: the connection's buffers hold them, or soon will. */
const MIN_BYTES = 64 * 1024

export class UnreadAnswers {
  readonly #memory: MemoryShare
  /** Functions that give back the bytes of each answer, by workspace, oldest first. */
  readonly #sent = new Map<string, Map<ServerResponse, () => void>>()

  constructor(memory: MemoryShare) {
    this.#memory = memory
  }

  /**
   * Counts an answer of so many bytes until its client has taken it. Waits for room, and rejects with `service_busy` if there is none in
   * time. An answer that must be sent, as the request may have written, is sent anyway. The workspace then loses the connections whose long
   * answers have been unread for longest.
   */
  async count(holder: string, response: ServerResponse, bytes: number, { mustBeSent = false } = {}): Promise<void> {
    if (bytes < MIN_BYTES) return
    const hasRoom = await this.#memory.reserveLoaded(holder, bytes)
    if (!hasRoom && !mustBeSent) throw this.#memory.refuse()
    this.#note(holder, response, hasRoom ? bytes : this.#makeRoom(holder, bytes))
  }

  /** Ends as many of the holder's connections as needed. Returns the bytes taken: 0 if the holder's bodies leave no room. */
  #makeRoom(holder: string, bytes: number): number {
    for (const [response, give] of this.#sent.get(holder) ?? []) {
      response.destroy()
      give()
      if (this.#memory.take(holder, bytes)) return bytes
    }
    return 0
  }

  /** Counts the answer until its connection closes; `bytes` were taken for it. */
  #note(holder: string, response: ServerResponse, bytes: number): void {
    const sent = this.#sent.get(holder) ?? new Map<ServerResponse, () => void>()
    this.#sent.set(holder, sent)
    const give = () => {
      if (!sent.delete(response)) return
      if (sent.size === 0) this.#sent.delete(holder)
      this.#memory.give(holder, bytes)
    }
    sent.set(response, give)
    if (response.closed) give()
    else response.once('close', give)
  }
}
