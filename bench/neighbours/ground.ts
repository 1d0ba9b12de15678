// The setting of an attack: a service of its own, since an attack must not affect the next one; a tenant who attacks, and another one with
// visitors, readers and publishers.

import { setTimeout as delay } from 'node:timers/promises'
import { runInRoles } from '../ground/in-roles.js'
import { runService, type RunningService, type ServiceOptions } from '../ground/running-service.js'
import type { FromAttacker, Outcome, ToAttacker } from './attacker.js'
import { HelperProcess } from './helper-process.js'
import type { Felt, ToNeighbour } from './neighbour.js'
import { makeTenant } from './tenant.js'

const SETTLE_MS = 2000
/** The attacker's address, which differs from that of the other tenants and visitors. */
const ATTACKERS_ADDRESS = '127.0.0.2'

/** BENCH_ROLES=1 runs the service in its two roles, behind nginx. */
const HAS_ROLES = process.env['BENCH_ROLES'] === '1'

export interface Ground {
  service: RunningService
  attackerPid: number
  /** Prepares what the attacks need. */
  prepareAttacks: (names: readonly string[]) => Promise<void>
  attack: (runForMs: number) => Promise<Outcome[]>
  /** Ends the attacker. */
  endAttacks: () => Promise<void>
  /** Measures the requests of the other tenant's visitors, readers and publishers. */
  feel: (runForMs: number) => Promise<Felt>
}

export async function withGround<T>(options: ServiceOptions, work: (ground: Ground) => Promise<T>): Promise<T> {
  const service = await (HAS_ROLES ? runInRoles(options) : runService(options))
  const neighbour = new HelperProcess<ToNeighbour>('neighbour')
  const attacker = new HelperProcess<ToAttacker>('attacker')
  try {
    const [bad, good] = [await makeTenant(service, 'bad'), await makeTenant(service, 'good')]
    await neighbour.ask({ prepare: { tenant: good, slug: 'good' } })
    return await work({
      service,
      attackerPid: attacker.pid,
      async prepareAttacks(names) {
        await attacker.ask<FromAttacker>({ prepare: { tenant: { ...bad, localAddress: ATTACKERS_ADDRESS }, names } })
        await delay(SETTLE_MS)
      },
      async attack(runForMs) {
        const answer = await attacker.ask<FromAttacker>({ runForMs })
        return 'outcomes' in answer ? answer.outcomes : []
      },
      async endAttacks() {
        await attacker.end()
        await delay(SETTLE_MS)
      },
      feel: (runForMs) => neighbour.ask<Felt>({ runForMs }),
    })
  } finally {
    await Promise.all([neighbour.end(), attacker.end()])
    await service.stop()
  }
}
