// How many large files are streamed at once, with a share for each site and for each visitor's address: no site and no visitor
// takes them all.

export interface StreamLimits {
  total: number
  perSite: number
  /** For an IPv4 address or an IPv6 /64 network. */
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

  /** Returns what gives the stream back; undefined where the site, the address or all together have as many as they may. */
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
