// A service that may never open more than a few files has many sites, which are all used at once. It refuses what it cannot do, and goes
// on. Once the load is over it does everything, and holds no more files than before.

import { readdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { Ground } from '../ground/ground.js'
import { ManySites } from '../load/many-sites.js'
import type { FaultProgram, Report } from '../program.js'

const SITES = 300
const LIMITS = [256, 1024]
const AT_ONCE = [8, 32]
/** Task processes that idle end after a minute. */
const SETTLE_MS = 2000

export const fewDescriptors: FaultProgram = {
  name: 'few-descriptors',
  about: 'a service with 256 and with 1,024 file descriptors, and 300 sites that are all used at once',
  needs: [],
  async run(report) {
    const ground = await Ground.prepare({ LOG_LEVEL: 'warn' })
    try {
      const sites = new ManySites(ground, report)
      await sites.prepare(SITES)
      for (const limit of LIMITS) await useAll(ground, sites, limit, AT_ONCE, report)
    } finally {
      await ground.destroy()
    }
  },
}

/** Uses all sites under a limit, so many at a time, and once more one after the other. */
export async function useAll(
  ground: Ground,
  sites: ManySites,
  limit: number,
  loads: readonly number[],
  report: Report,
): Promise<void> {
  await ground.stop()
  ground.maxDescriptors = limit
  await ground.start()
  const { server } = ground
  const held = () => readdirSync(`/proc/${server.pid}/fd`).length
  const begun = held()
  for (const atOnce of loads) {
    const name = `${limit} descriptors, ${atOnce} at once`
    report.begin(name, LIMITS.length * (AT_ONCE.length + 1))
    const answers = await sites.use(name, atOnce)
    console.log(name, JSON.stringify(answers), `${held()} descriptors held`)
    if (!(await ground.isAlive()))
      report.violate(`${name}: the service does not answer: ${server.logged().slice(-2000)}`)
  }
  await pause(SETTLE_MS)
  const name = `${limit} descriptors, afterwards`
  report.begin(name, LIMITS.length * (AT_ONCE.length + 1))
  const answers = await sites.use(name, 1)
  console.log(name, JSON.stringify(answers), `${held()} descriptors held, ${begun} at the start`)
  for (const [action, { refused, closed }] of Object.entries(answers)) {
    if (refused + closed > 0) report.violate(`${name}: ${action}: ${refused} refused, ${closed} closed`)
  }
}
