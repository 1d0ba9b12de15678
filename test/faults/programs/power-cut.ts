// Cuts the power of a disk under a service that many clients and operators write to, several times on the same disk. A loop
// image stands for the disk; its shutdown drops everything that was not synced, as a power cut does.

import { setTimeout as pause } from 'node:timers/promises'
import { put } from '../../scenarios/client.js'
import { endRunner } from '../../scenarios/commands.js'
import { Ground } from '../ground/ground.js'
import { type DiskFormat, mountImage } from '../ground/mount.js'
import { MixedLoad } from '../load/mixed-load.js'
import type { FaultProgram, Report } from '../program.js'

export interface CutDisk {
  format: DiskFormat
  /** Options of mount(8). */
  options: string
}

const DISKS: readonly CutDisk[] = [
  { format: 'ext4', options: 'relatime' },
  { format: 'ext4', options: 'noatime' },
  { format: 'xfs', options: 'relatime' },
]
/** Each disk is set up so often anew, and loses its power so often. */
const SETUPS = 3
const CUTS_EACH = 4
/** The time of writing before a cut is random between these. */
const MIN_WRITING_MS = 200
const MAX_WRITING_MS = 1500
/** Something must be acknowledged in each way before a cut within this time. */
const EACH_WAY_MS = 60_000
const LOOK_AGAIN_MS = 20
/** The service must be ready again after this time. */
const MAX_START_MS = 3000

export const powerCut: FaultProgram = {
  name: 'power-cut',
  about:
    'the disk loses its power again and again under a mixed load with pushes, deploys and change requests, on ext4, xfs and noatime',
  needs: ['root', 'xfsprogs'],
  async run(report) {
    for (const disk of DISKS) {
      for (let setup = 0; setup < SETUPS; setup++) await cutPower(disk, CUTS_EACH, report)
    }
  },
}

/** Sets up a disk and a service, and cuts the power so many times. */
export async function cutPower({ format, options }: CutDisk, cuts: number, report: Report): Promise<void> {
  const disk = mountImage(format, options)
  const ground = await Ground.prepare({ WRITER_THREADS: '2' }, disk.folder)
  const load = new MixedLoad(ground, report, { hasFolders: true })
  try {
    await load.prepare()
    for (let cut = 1; cut <= cuts; cut++) {
      const name = `${format} ${options}, cut ${cut}`
      report.begin(name, cuts * SETUPS * DISKS.length)
      load.start()
      await eachWay(name, load, report)
      await pause(MIN_WRITING_MS + Math.random() * (MAX_WRITING_MS - MIN_WRITING_MS))
      const stopped = load.stop()
      disk.cutPower()
      await ground.kill()
      await endRunner()
      await stopped
      disk.mountAgain()
      ground.ageLocks()
      await judge(name, ground, load, report)
    }
  } finally {
    load.end()
    await ground.kill()
    disk.unmount()
  }
}

/** Waits until something was acknowledged in each way: a push by path, a push over HTTP, a deploy, a draft, a published request. */
async function eachWay(name: string, load: MixedLoad, report: Report): Promise<void> {
  const end = performance.now() + EACH_WAY_MS
  while (load.waysWithoutWrite.length > 0) {
    if (performance.now() > end)
      return report.violate(`${name}: no ${load.waysWithoutWrite.join(' and no ')} was acknowledged in time`)
    await pause(LOOK_AGAIN_MS)
  }
}

async function judge(name: string, ground: Ground, load: MixedLoad, report: Report): Promise<void> {
  const began = performance.now()
  await ground.start()
  const took = performance.now() - began
  if (took > MAX_START_MS) report.violate(`${name}: ready after ${took} ms`)
  for (const damage of ground.slugs().flatMap((slug) => ground.damage(slug))) report.violate(`${name}: ${damage}`)
  await load.verify()
  await load.repeat()
  await load.verify()
  const trouble = await ground.troubleOfTheRest()
  if (trouble !== undefined) report.lose(`${name}: ${trouble}`)
  const { body } = await ground.api.get('/sites?limit=1000').expect(200)
  for (const { id, slug } of (body as { data: { id: string; slug: string }[] }).data) {
    await put(ground.api, '/after', name, id).catch((error: unknown) =>
      report.violate(`${name}: ${slug} takes no write: ${String(error)}`),
    )
  }
}
