// People and programs push over HTTP to one site that ten writers publish to without a pause. A single pusher needs at most two tries
// for each push, and each of ten at most twelve. Nothing is lost on either side.

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { endProcesses, makeKey, serve } from '../../scenarios/serve-process.js'
import { commitFiles, runGit } from '../../scenarios/operators/operator.js'
import { git } from '../../support/git.js'
import { judgeRepository } from '../../support/second-judge.js'
import { BusySite } from '../load/busy-site.js'
import type { FaultProgram, Report } from '../program.js'
import { inFolder } from '../programs/operators.js'

interface PusherLoad {
  pushers: number
  writers: number
  maxTries: number
  milliseconds: number
}

const WRITERS = 10
const ONE: PusherLoad = { pushers: 1, writers: WRITERS, maxTries: 2, milliseconds: 180_000 }
const TEN: PusherLoad = { pushers: 10, writers: WRITERS, maxTries: 12, milliseconds: 180_000 }
/** Time without pushers, before they start. */
const QUIET_MS = 15_000
/** Main holds still for pushes at most so long (MAX_HOLD_MS of push-line.ts). */
const LONGEST_HOLD_MS = 3000

export const pushers: FaultProgram = {
  name: 'pushers',
  about: 'one, and ten, who push over HTTP beside ten writers on one site',
  needs: [],
  async run(report) {
    for (const load of [ONE, TEN]) await inFolder((folder) => pushBeside(load, join(folder, 'data'), report))
  },
}

/** Prints how many pushes took how many tries, and how long others waited. */
async function pushBeside(load: PusherLoad, dataDir: string, report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-pushers-'))
  const tries: Record<number, number> = {}
  try {
    const server = await serve({ dataDir })
    const site = new BusySite(server, await makeKey(dataDir, 'admin'), 'demo', dataDir, report)
    await site.begin()
    const keys: string[] = []
    for (let n = 0; n < load.pushers; n++) keys.push(await makeKey(dataDir, 'write'))
    const beside = [...Array.from({ length: load.writers }, (_, name) => site.write(name)), site.visit()]
    const url = (key: string) => `http://git:${key}@127.0.0.1:${server.port}/git/demo.git`
    // One after the other: a workspace has half of the places for clones.
    for (const [n, key] of keys.entries()) git(folder, 'clone', '--quiet', url(key), `clone-${n}`)
    await pause(QUIET_MS)
    const quiet = slowest(site.takeTimes())
    const end = Date.now() + load.milliseconds
    const pushed = await Promise.all(
      keys.map((_, n) => pushUntil(end, join(folder, `clone-${n}`), `pusher-${n}`, load, tries, report)),
    )
    const busy = slowest(site.takeTimes())
    site.end()
    await Promise.all(beside)
    site.judge(pushed.flat())
    const tooLong = { reads: 3 * quiet.reads, writes: LONGEST_HOLD_MS + 3 * quiet.writes }
    for (const kind of ['reads', 'writes'] as const)
      if (busy[kind] > tooLong[kind]) report.violate(`p99 of ${kind}: ${busy[kind]} ms, quiet ${quiet[kind]} ms`)
    const felt = `p99 of reads ${busy.reads} ms (quiet ${quiet.reads}), of writes ${busy.writes} ms (quiet ${quiet.writes})`
    console.log(`${load.pushers} pushers, pushes by the tries that they took: ${JSON.stringify(tries)}; ${felt}`)
    server.signal('SIGTERM')
    await server.ended
    await judgeRepository(join(dataDir, 'demo.git'))
  } finally {
    await endProcesses(folder)
  }
}

/** The 99th of 100, in whole milliseconds. */
function slowest({ reads, writes }: Record<'reads' | 'writes', readonly number[]>): { reads: number; writes: number } {
  const p99 = (times: readonly number[]) =>
    Math.round(times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN)
  return { reads: p99(reads), writes: p99(writes) }
}

/** A commit after the other, each pushed, and pulled and pushed again until it lands. Answers the commits that did. */
async function pushUntil(
  end: number,
  clone: string,
  name: string,
  { maxTries }: PusherLoad,
  tries: Record<number, number>,
  report: Report,
): Promise<string[]> {
  const landed: string[] = []
  for (let round = 0; Date.now() < end; round++) {
    commitFiles(clone, `Round ${round} of ${name}`, { [`${name}.html`]: `round ${round}` })
    report.begin(`round ${round + 1} of ${name}`)
    let count = 1
    for (; (await runGit(clone, 'push', '--quiet')).code !== 0; count++) {
      const { code, stderr } = await runGit(clone, 'pull', '--quiet', '--rebase')
      if (code !== 0) report.violate(`a pull failed: ${stderr}`)
      if (count === 4 * maxTries) return landed
    }
    if (count > maxTries) report.violate(`a push of ${name} needed ${count} tries`)
    tries[count] = (tries[count] ?? 0) + 1
    landed.push(git(clone, 'rev-parse', 'HEAD'))
  }
  return landed
}
