// A user of another workspace who publishes small pages all the time, to measure the delay from other work.

import { setTimeout as pause } from 'node:timers/promises'
import { makeTenant, Tenant } from '../neighbours/tenant.js'
import { type RunningService, timed } from '../ground/running-service.js'

const PAUSE_MS = 10
const QUIET_MS = 4_000

export class PublisherBeside {
  /** Milliseconds of each publish during the measured work. */
  readonly felt: number[] = []
  readonly #tenant: Tenant
  #count = 0

  private constructor(tenant: Tenant) {
    this.#tenant = tenant
  }

  static async begin(service: RunningService): Promise<PublisherBeside> {
    const beside = new PublisherBeside(new Tenant(await makeTenant(service, 'beside')))
    for (let warm = 0; warm < 50; warm++) await beside.#publish()
    return beside
  }

  /** Measures the same while the service does nothing else. */
  async measure(): Promise<number[]> {
    const quiet: number[] = []
    for (const end = performance.now() + QUIET_MS; performance.now() < end; ) {
      quiet.push(await this.#publish())
      await pause(PAUSE_MS)
    }
    return quiet
  }

  /** Publishes until the work is done. */
  async during(work: () => Promise<void>): Promise<void> {
    const state = { isOver: false }
    const publishing = (async () => {
      while (!state.isOver) {
        this.felt.push(await this.#publish())
        await pause(PAUSE_MS)
      }
    })()
    await work().finally(() => (state.isOver = true))
    await publishing
  }

  async #publish(): Promise<number> {
    return await timed(async () => {
      const body = `<title>Beside</title><p>${this.#count++}</p>`
      const { status } = await this.#tenant.api('/pages?path=/beside', { method: 'PUT', body })
      if (status !== 200 && status !== 201) throw new Error(`a publish beside was answered ${status}`)
    })
  }
}
