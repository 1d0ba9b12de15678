// Limits the number of large files streamed at once: in total, per site and per visitor's address. No single site or visitor can use
// all streams.

export interface StreamLimits {
  total: number
  perSite: number
  /** Limit for an IPv4 address or an IPv6 /64 network. */
  perAddress: number
}

export class StreamShares {
  readonly #limits: StreamLimits
  #total = 0
  readonly #bySite = new Map<string, number>()
  readonly #byAddress = new Map<string, number>()

  constructor(limits: StreamLimits) {
    this.#limits = limits
  }

  /** Returns a function that gives the stream back; undefined if the site, the address or the total is at its limit. */
  take(siteId: string, address: string): (() => void) | undefined {
    const { total, perSite, perAddress } = this.#limits
    const ofSite = this.#bySite.get(siteId) ?? 0
    const ofAddress = this.#byAddress.get(address) ?? 0
    if (this.#total >= total || ofSite >= perSite || ofAddress >= perAddress) return undefined
    this.#total += 1
    this.#bySite.set(siteId, ofSite + 1)
    this.#byAddress.set(address, ofAddress + 1)
    return () => {
      this.#total -= 1
      giveBack(this.#bySite, siteId)
      giveBack(this.#byAddress, address)
    }
  }
}

function giveBack(counts: Map<string, number>, key: string): void {
  const left = (counts.get(key) ?? 1) - 1
  if (left === 0) counts.delete(key)
  else counts.set(key, left)
}
