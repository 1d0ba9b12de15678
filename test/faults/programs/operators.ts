// Operators at work on live repositories with plain git, while writers publish without a pause and visitors read: no write is
// lost on either side, no read fails, a push lands within a few tries and is live within a second.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endProcesses, makeKey, serve } from '../../scenarios/serve-process.js'
import { judgeRepository } from '../../support/second-judge.js'
import { mountImage } from '../ground/mount.js'
import { BusySite } from '../load/busy-site.js'
import { Operator, type OperatorLimits } from '../load/operator.js'
import type { FaultProgram, Report } from '../program.js'

export interface OperatorLoad extends OperatorLimits {
  /** Each has an operator, writers and visitors of its own. */
  sites: number
  rounds: number
  writers: number
  visitors: number
}

const ONE_SITE: OperatorLoad = { sites: 1, rounds: 12, writers: 4, visitors: 2, maxTries: 5, maxLiveMs: 1000 }
/** More than two cores can do at once: pushes land later, and still land. */
const TEN_SITES: OperatorLoad = { sites: 10, rounds: 3, writers: 1, visitors: 1, maxTries: 12, maxLiveMs: 1000 }
export const operators: FaultProgram = {
  name: 'operators',
  about: 'push, forced push, pack-refs, repack, gc, clone and revert beside writers and visitors',
  needs: [],
  run: (report) => inFolder((folder) => showTries(ONE_SITE, folder, report)),
}

export const operatorsEverywhere: FaultProgram = {
  name: 'operators-everywhere',
  about: 'the same on ten sites at once, and on a disk mounted with noatime',
  needs: ['root'],
  async run(report) {
    await inFolder((folder) => showTries(TEN_SITES, folder, report))
    const disk = mountImage('ext4', 'noatime')
    try {
      await showTries(ONE_SITE, disk.folder, report)
    } finally {
      disk.unmount()
    }
  },
}

async function showTries(load: OperatorLoad, folder: string, report: Report): Promise<void> {
  const tries = await operateBeside(load, folder, report)
  console.log(`pushes by the tries that they took: ${JSON.stringify(tries)}`)
}

export async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-operators-'))
  try {
    await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Answers how many pushes took how many tries. */
export async function operateBeside(
  load: OperatorLoad,
  folder: string,
  report: Report,
): Promise<Record<number, number>> {
  const dataDir = join(folder, 'data')
  const tries: Record<number, number> = {}
  try {
    const server = await serve({ dataDir })
    const key = await makeKey(dataDir, 'admin')
    const slugs = Array.from({ length: load.sites }, (_, i) => (i === 0 ? 'demo' : `site-${i}`))
    await Promise.all(
      slugs.map((slug) => operateOn(new BusySite(server, key, slug, dataDir, report), load, folder, tries, report)),
    )
    server.signal('SIGTERM')
    await server.ended
    for (const slug of slugs) await judgeRepository(join(dataDir, `${slug}.git`))
    return tries
  } finally {
    await endProcesses()
  }
}

async function operateOn(
  site: BusySite,
  load: OperatorLoad,
  folder: string,
  tries: Record<number, number>,
  report: Report,
): Promise<void> {
  await site.begin()
  const beside = [
    ...Array.from({ length: load.writers }, (_, name) => site.write(name)),
    ...Array.from({ length: load.visitors }, () => site.visit()),
  ]
  const operator = new Operator(site, join(folder, `clone-${site.slug}`), load, report)
  try {
    for (let round = 0; round < load.rounds; round++) await operator.work(round)
  } finally {
    site.end()
    await Promise.all(beside)
  }
  site.judge(operator.pushed)
  for (const [taken, pushes] of Object.entries(operator.tries))
    tries[Number(taken)] = (tries[Number(taken)] ?? 0) + pushes
}
