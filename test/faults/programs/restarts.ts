// A service that is stopped or killed again and again in the middle of a mixed load, and started on what it left.

import { readdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { put } from '../../scenarios/client.js'
import { Ground } from '../ground/ground.js'
import { MixedLoad } from '../load/mixed-load.js'
import type { FaultProgram, Report } from '../program.js'

const ROUNDS = 30
/** The time of writing before the end is random between these. */
const MIN_WRITING_MS = 50
const MAX_WRITING_MS = 800
/** The service must have stopped, and must be ready again, after these times. */
const MAX_STOP_MS = 10_000
const MAX_START_MS = 3000

export const restarts: FaultProgram = {
  name: 'restarts',
  about: 'stopped or killed under a mixed load, and started again',
  needs: [],
  async run(report) {
    await restartAgainAndAgain(report)
  },
}

async function restartAgainAndAgain(report: Report): Promise<void> {
  const ground = await Ground.prepare()
  try {
    const load = new MixedLoad(ground, report)
    await load.prepare()
    for (let round = 0; round < ROUNDS; round++) {
      const isKilled = round % 2 === 1
      const name = `round ${round + 1}, ${isKilled ? 'killed' : 'stopped'}`
      report.begin(name, ROUNDS)
      load.start()
      await pause(MIN_WRITING_MS + Math.random() * (MAX_WRITING_MS - MIN_WRITING_MS))
      await (isKilled ? killUnder(ground, load) : stopUnder(ground, load, name, report))
      for (const damage of ground.slugs().flatMap((slug) => ground.damage(slug))) report.violate(`${name}: ${damage}`)
      await startAgain(ground, name, report)
      await load.verify()
      await load.repeat()
      await load.verify()
      for (const left of await leftovers(ground)) report.violate(`${name}: left ${left}`)
    }
  } finally {
    await ground.destroy()
  }
}

/** Every answer before the end of the process counts. */
async function stopUnder(ground: Ground, load: MixedLoad, name: string, report: Report): Promise<void> {
  const began = performance.now()
  const { ended } = ground.server
  await ground.stop()
  const took = performance.now() - began
  await load.stop()
  const { code } = await ended
  if (code !== 0 || took > MAX_STOP_MS) report.violate(`${name}: ended with ${code} after ${took} ms`)
}

async function killUnder(ground: Ground, load: MixedLoad): Promise<void> {
  const stopped = load.stop()
  await ground.kill()
  await stopped
}

/** Ready soon, and every site takes a write. */
async function startAgain(ground: Ground, name: string, report: Report): Promise<void> {
  const began = performance.now()
  await ground.start()
  const took = performance.now() - began
  if (took > MAX_START_MS) report.violate(`${name}: ready after ${took} ms`)
  const trouble = await ground.troubleOfTheRest()
  if (trouble !== undefined) report.violate(`${name}: ${trouble}`)
  const { body } = await ground.api.get('/sites?limit=1000').expect(200)
  for (const { id } of (body as { data: { id: string }[] }).data) await put(ground.api, '/after', name, id)
}

async function leftovers(ground: Ground): Promise<string[]> {
  const unfinished = readdirSync(ground.dataDir).filter((file) => file.startsWith('.') && file.endsWith('.git'))
  const left = await Promise.all(ground.slugs().map((slug) => ground.leftovers(slug)))
  return [...unfinished, ...left.flat()]
}
