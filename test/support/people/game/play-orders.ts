// Plays many random orders at one service of their own.

import assert from 'node:assert/strict'
import { startOwnService } from '../../service.js'
import { play, type Tally } from './play.js'
import { STEPS } from './steps.js'

const DAY = 86_400_000
const ISSUER = 'https://login.example'

/** Plays the orders of these seeds. Sees to it that each step was done in some of them, if there are many. */
export async function playOrders({ first, count }: { first: number; count: number }): Promise<Tally> {
  let now = new Date()
  const providers = JSON.stringify([{ id: 'example', issuer: ISSUER, clientId: 'x' }])
  const env = { MAX_REQUESTS_PER_MINUTE: '0', SIGN_IN_PROVIDERS: providers }
  const service = await startOwnService({ clock: () => now, env })
  try {
    const { key } = await service.mint({ scopes: ['admin'] })
    const { body } = await service.api(key).post('/sites').send({ slug: 'second' }).expect(201)
    const siteIds = [service.site.id, (body as { data: { id: string } }).data.id]
    const pass = (days: number) => {
      now = new Date(now.getTime() + days * DAY)
    }
    const tally: Tally = new Map()
    for (let seed = first; seed < first + count; seed += 1)
      await play({ service, siteIds, issuer: ISSUER, pass }, seed, tally)
    const never = Object.keys(STEPS).filter((name) => !tally.has(name))
    if (count >= 100) assert.deepEqual(never, [], 'steps that were always refused')
    return tally
  } finally {
    await service.stop()
  }
}
