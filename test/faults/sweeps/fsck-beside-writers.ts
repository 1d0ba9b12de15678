// `palimpsest fsck` of a sound site, again and again, while four writers publish, git packs and prunes: it never finds anything.

import { join } from 'node:path'
import { runGit } from '../../scenarios/operators/operator.js'
import { endProcesses, makeKey, runPalimpsest, serve } from '../../scenarios/serve-process.js'
import { BusySite } from '../load/busy-site.js'
import type { FaultProgram, Report } from '../program.js'
import { inFolder } from '../programs/operators.js'

const WRITERS = 4
const RUNS = 50
/** Now and then, objects move into a pack during fsck, and unreachable ones are removed. */
const RUNS_FOR_EACH_PACKING = 5

export const fsckBesideWriters: FaultProgram = {
  name: 'fsck-beside-writers',
  about: 'runs palimpsest fsck fifty times beside four writers and repacks: it finds nothing in a sound site',
  needs: [],
  run: (report) => inFolder((folder) => checkBeside(folder, report)),
}

async function checkBeside(folder: string, report: Report): Promise<void> {
  const dataDir = join(folder, 'data')
  try {
    const server = await serve({ dataDir })
    const site = new BusySite(server, await makeKey(dataDir, 'admin'), 'demo', dataDir, report)
    await site.begin()
    const writers = Array.from({ length: WRITERS }, (_, name) => site.write(name))
    for (let run = 0; run < RUNS; run++) {
      report.begin(`run ${run + 1} of fsck`, RUNS)
      const packing = run % RUNS_FOR_EACH_PACKING === 0 ? pack(site.gitdir, report) : undefined
      const { code, stdout, stderr } = await runPalimpsest({ DATA_DIR: dataDir }, 'fsck', 'demo')
      if (code !== 0) report.violate(`fsck ends with ${code}: ${stdout}${stderr}`)
      await packing
    }
    site.end()
    await Promise.all(writers)
    site.judge([])
  } finally {
    await endProcesses()
  }
}

async function pack(gitdir: string, report: Report): Promise<void> {
  const { code, stderr } = await runGit(gitdir, 'gc', '--quiet', '--prune=now')
  // The service maintains its repositories, too.
  if (code !== 0 && !stderr.includes('gc is already running')) report.violate(`git gc: ${stderr}`)
}
