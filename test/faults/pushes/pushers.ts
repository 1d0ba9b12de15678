// People and programs who push over HTTP to one site that ten writers publish to without a pause: one alone lands each push within two
// tries, and of ten nobody needs more than twelve. Nothing is lost on either side.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endProcesses, makeKey, serve } from '../../scenarios/serve-process.js'
import { commitFiles, runGit } from '../../scenarios/operators/operator.js'
import { git } from '../../support/git.js'
import { judgeRepository } from '../../support/second-judge.js'
import { BusySite } from '../load/busy-site.js'
import type { FaultProgram, Report } from '../program.js'

export interface PusherLoad {
  pushers: number
  writers: number
  maxTries: number
  milliseconds: number
}

const WRITERS = 10
const ONE: PusherLoad = { pushers: 1, writers: WRITERS, maxTries: 2, milliseconds: 60_000 }
const TEN: PusherLoad = { pushers: 10, writers: WRITERS, maxTries: 12, milliseconds: 60_000 }

export const pushers: FaultProgram = {
  name: 'pushers',
  about: 'one, and ten, who push over HTTP beside ten writers on one site',
  needs: [],
  async run(report) {
    for (const load of [ONE, TEN]) {
      const tries = await pushBeside(load, report)
      console.log(`${load.pushers} pushers, pushes by the tries that they took: ${JSON.stringify(tries)}`)
    }
  },
}

/** Answers how many pushes took how many tries. */
export async function pushBeside(load: PusherLoad, report: Report): Promise<Record<number, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-pushers-'))
  const dataDir = join(folder, 'data')
  const tries: Record<number, number> = {}
  try {
    const server = await serve({ dataDir })
    const site = new BusySite(server, await makeKey(dataDir, 'admin'), 'demo', dataDir, report)
    await site.begin()
    const keys: string[] = []
    for (let n = 0; n < load.pushers; n++) keys.push(await makeKey(dataDir, 'write'))
    const writers = Array.from({ length: load.writers }, (_, name) => site.write(name))
    const end = Date.now() + load.milliseconds
    const pushed = await Promise.all(
      keys.map((key, n) => {
        const url = `http://git:${key}@127.0.0.1:${server.port}/git/demo.git`
        return pushUntil(end, { url, clone: join(folder, `clone-${n}`), name: `pusher-${n}` }, load, tries, report)
      }),
    )
    site.end()
    await Promise.all(writers)
    site.judge(pushed.flat())
    server.signal('SIGTERM')
    await server.ended
    await judgeRepository(join(dataDir, 'demo.git'))
    return tries
  } finally {
    await endProcesses()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A commit after the other, each pushed, and pulled and pushed again until it lands. Answers the commits that did. */
async function pushUntil(
  end: number,
  { url, clone, name }: { url: string; clone: string; name: string },
  { maxTries }: PusherLoad,
  tries: Record<number, number>,
  report: Report,
): Promise<string[]> {
  const landed: string[] = []
  await runGit(join(clone, '..'), 'clone', '--quiet', url, clone)
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
