// Cuts the power of a file system under a service that is being written to. A loop image stands for the disk; its
// shutdown drops what was not synced, as a power cut does.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { git } from '../support/git.js'
import { type FaultyService, startFaultyService } from './faulty-service.js'
import type { FaultProgram } from './program.js'

const CUTS = 10
const WRITERS = 8
const PAGES_EACH = 5
/** Milliseconds of writing before the cut: a random time between these. */
const SHORTEST = 200
const LONGEST = 1500

interface Outcome {
  acknowledged: number
  lost: string[]
}

const FILE_SYSTEMS: Readonly<Record<string, readonly string[]>> = { ext4: ['-q', '-F'], xfs: ['-q', '-f'] }

export const powerCut: FaultProgram = {
  name: 'power-cut',
  about: 'the disk loses its power at a random instant, on ext4 and xfs',
  needs: ['root', 'xfsprogs'],
  async run(report) {
    const fileSystems = Object.keys(FILE_SYSTEMS)
    for (const fileSystem of fileSystems) {
      for (let cut = 0; cut < CUTS; cut++) {
        report.begin(fileSystem, CUTS * fileSystems.length)
        const { acknowledged, lost } = await cutPower(fileSystem)
        report.acknowledge(acknowledged)
        for (const write of lost) report.lose(write)
      }
    }
  },
}

/** One file system, written to by many at once, cut, mounted again and judged by git. */
async function cutPower(fileSystem: string): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-power-'))
  const image = join(folder, 'disk')
  const disk = join(folder, 'mounted')
  const mount = () => execFileSync('mount', ['-o', 'loop', image, disk])
  try {
    execFileSync('truncate', ['-s', '400M', image])
    execFileSync(`mkfs.${fileSystem}`, [...(FILE_SYSTEMS[fileSystem] ?? []), image])
    execFileSync('mkdir', [disk])
    mount()
    const commits = await writeUntilCut(join(disk, 'data'), () =>
      execFileSync('xfs_io', ['-x', '-c', 'shutdown', disk]),
    )
    execFileSync('umount', [disk])
    mount()
    const lost = await judge(join(disk, 'data'), commits)
    return { acknowledged: commits.length, lost }
  } finally {
    spawnSync('umount', [disk])
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The commits of all writes that were acknowledged before the cut. */
async function writeUntilCut(dataDir: string, cut: () => void): Promise<string[]> {
  const service = await startFaultyService(dataDir)
  const commits: string[] = []
  const power = new AbortController()
  const writer = async (name: number) => {
    for (let i = 0; !power.signal.aborted; i++) {
      const commit = await service.publish(`/page-${name}-${i % PAGES_EACH}`, `${name}.${i}`).catch(() => undefined)
      if (commit === undefined) return
      if (!power.signal.aborted) commits.push(commit)
    }
  }
  const writers = Promise.all(Array.from({ length: WRITERS }, (_, name) => writer(name)))
  await pause(SHORTEST + Math.random() * (LONGEST - SHORTEST))
  // From here on nothing counts as acknowledged: the cut comes after the last that does.
  power.abort()
  cut()
  await service.kill()
  await writers
  return commits
}

/** What is wrong after the power is back: commits that are gone, objects that are damaged, a service that does not write. */
async function judge(dataDir: string, commits: readonly string[]): Promise<string[]> {
  const service = await startFaultyService(dataDir)
  try {
    return [...missingCommits(join(dataDir, 'demo.git'), commits), ...(await faultsAfter(service, dataDir))]
  } finally {
    await service.kill()
  }
}

function missingCommits(gitdir: string, commits: readonly string[]): string[] {
  const history = new Set(git(gitdir, 'rev-list', '--first-parent', 'main').split('\n'))
  return commits.filter((commit) => !history.has(commit)).map((commit) => `the commit ${commit}`)
}

async function faultsAfter(service: FaultyService, dataDir: string): Promise<string[]> {
  const faults: string[] = []
  const complaints = git(join(dataDir, 'demo.git'), 'fsck', '--full', '--strict', '--no-dangling')
  if (complaints !== '') faults.push(`git fsck: ${complaints}`)
  await service.publish('/after', 'after').catch((error: unknown) => faults.push(`the next write: ${String(error)}`))
  return faults
}
