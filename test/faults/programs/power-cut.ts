// Cuts the power of a file system under a service that many clients write to. A loop image stands for the disk; its
// shutdown drops what was not synced, as a power cut does.

import { setTimeout as pause } from 'node:timers/promises'
import { put } from '../../scenarios/client.js'
import { Ground } from '../ground/ground.js'
import { MixedLoad } from '../mixed-load.js'
import { DISK_FORMATS, mountImage } from '../ground/mount.js'
import type { FaultProgram, Report } from '../program.js'

const CUTS = 10
/** Milliseconds of writing before the cut: a random time between these. */
const SHORTEST = 200
const LONGEST = 1500
/** Milliseconds until the service is ready again. */
const START_LIMIT = 3000

export const powerCut: FaultProgram = {
  name: 'power-cut',
  about: 'the disk loses its power at a random instant under a mixed load on many sites, on ext4 and xfs',
  needs: ['root', 'xfsprogs'],
  async run(report) {
    for (const format of DISK_FORMATS) {
      for (let cut = 0; cut < CUTS; cut++) {
        report.begin(format, CUTS * DISK_FORMATS.length)
        await cutPower(format, report)
      }
    }
  },
}

async function cutPower(format: string, report: Report): Promise<void> {
  const disk = mountImage(format)
  const ground = await Ground.prepare({ WRITER_THREADS: '2' }, disk.folder)
  try {
    const load = new MixedLoad(ground, report)
    await load.prepare()
    load.start()
    await pause(SHORTEST + Math.random() * (LONGEST - SHORTEST))
    const stopped = load.stop()
    disk.cutPower()
    await ground.kill()
    await stopped
    disk.mountAgain()

    const began = performance.now()
    await ground.start()
    const took = performance.now() - began
    if (took > START_LIMIT) report.violate(`ready after ${took} ms`)
    for (const damage of ground.slugs().flatMap((slug) => ground.damage(slug))) report.violate(damage)
    await load.verify()
    const trouble = await ground.troubleOfTheRest()
    if (trouble !== undefined) report.lose(trouble)
    await put(ground.api, '/after', 'after')
  } finally {
    await ground.kill()
    disk.unmount()
  }
}
