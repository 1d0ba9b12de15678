// Shared memory in which a thread says with which request it goes on. Who asks it sees that it stands still, and for whom.

export class Heartbeat {
  /** Pass it to the thread to build its end. */
  readonly memory: SharedArrayBuffer
  readonly #turns: Int32Array
  readonly #ticket: Int32Array

  constructor(memory = new SharedArrayBuffer(8)) {
    this.memory = memory
    this.#turns = new Int32Array(memory, 0, 1)
    this.#ticket = new Int32Array(memory, 4, 1)
  }

  /** The thread begins a turn for the request of this ticket. */
  beat(ticket: number): void {
    Atomics.store(this.#ticket, 0, ticket)
    Atomics.add(this.#turns, 0, 1)
  }

  /** How many turns were begun; it wraps around. */
  get turns(): number {
    return Atomics.load(this.#turns, 0)
  }

  /** The ticket of the last turn; 0 before the first. */
  get ticket(): number {
    return Atomics.load(this.#ticket, 0)
  }
}
