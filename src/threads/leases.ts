// Leases: named work that one process at a time does. Machines that share a database share their leases; a machine on its own has all.

/** `import`: an import, named by its id. `key`: the first request with an idempotency key, named by the key's hash. */
export type LeaseKind = 'import' | 'key'

export interface LeaseOptions {
  /** Returns what others may know about the work. */
  say?: () => object
  /** Called when another process asks that the work ends. */
  onUnwanted?: () => void
}

export interface Lease {
  /** Gives the lease back; later calls do nothing. */
  release(): Promise<void>
}

export interface Leases {
  /**
   * Holds the lease until it is released or this process ends; undefined if another has it. The catalog then has what earlier holders
   * wrote.
   */
  hold(kind: LeaseKind, name: string, options?: LeaseOptions): Promise<Lease | undefined>
  /** Returns what the holder says about its work; undefined if nobody holds the lease. */
  find(kind: LeaseKind, name: string): Promise<object | undefined>
  /** Asks the holder to end its work. Resolves once nobody holds the lease; the catalog then has what the holder wrote. */
  end(kind: LeaseKind, name: string): Promise<void>
}

interface Held extends LeaseOptions {
  released: Promise<void>
}

/** The leases of a machine on its own. */
export class OwnLeases implements Leases {
  readonly #held = new Map<string, Held>()

  async hold(kind: LeaseKind, name: string, options: LeaseOptions = {}): Promise<Lease | undefined> {
    const id = idOf(kind, name)
    if (this.#held.has(id)) return undefined
    let free = () => {}
    const held = { ...options, released: new Promise<void>((resolve) => (free = resolve)) }
    this.#held.set(id, held)
    return {
      release: async () => {
        if (this.#held.get(id) === held) this.#held.delete(id)
        free()
      },
    }
  }

  async find(kind: LeaseKind, name: string): Promise<object | undefined> {
    const held = this.#held.get(idOf(kind, name))
    return held && (held.say?.() ?? {})
  }

  async end(kind: LeaseKind, name: string): Promise<void> {
    const held = this.#held.get(idOf(kind, name))
    held?.onUnwanted?.()
    await held?.released
  }
}

function idOf(kind: LeaseKind, name: string): string {
  return `${kind} ${name}`
}
