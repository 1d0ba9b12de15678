// A disk that is really full, by bytes and by inodes, under a service that many clients write to; and the reserve of free
// space that keeps it from ever coming to that. When there is room again the same service goes on.

import { statfsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { Ground } from '../ground/ground.js'
import { MixedLoad } from '../load/mixed-load.js'
import { mountMemory } from '../ground/mount.js'
import type { FaultProgram, Report } from '../program.js'

const MIB = 1024 * 1024
const PAGE_BYTES = 20_000
/** Refusals that show that the disk is full for everybody. */
const ENOUGH_REFUSALS = 100
/** The load must have filled the disk after this time. */
const MAX_FILLING_MS = 60_000
const AFTERWARDS_MS = 500

interface Disk {
  name: string
  /** Options of tmpfs(5) before and after. */
  small: string
  large: string
  reserve: number
}

const DISKS: readonly Disk[] = [
  ...[10, 11, 12, 13, 14, 15, 16, 17].map((size) => full(`${size} MiB`, `size=${size}M`)),
  ...[500, 540, 580, 620, 660, 700, 740, 780].map((inodes) =>
    full(`${inodes} inodes`, `size=256M,nr_inodes=${inodes}`),
  ),
  ...[4, 8, 16, 32].map((reserve) => ({
    name: `reserve of ${reserve} MiB`,
    small: `size=${reserve + 12}M`,
    large: 'size=256M',
    reserve: reserve * MIB,
  })),
]

function full(name: string, small: string): Disk {
  return { name, small, large: 'size=256M,nr_inodes=100000', reserve: 0 }
}

export const fullDisk: FaultProgram = {
  name: 'full-disk',
  about: 'no bytes, or no inodes, are left under a mixed load; then there is room again',
  needs: ['root'],
  async run(report) {
    for (const disk of DISKS) {
      report.begin(disk.name, DISKS.length)
      await fill(disk, report)
    }
  },
}

async function fill({ name, small, large, reserve }: Disk, report: Report): Promise<void> {
  const disk = mountMemory(small)
  const ground = await Ground.prepare({ DISK_RESERVE_BYTES: String(reserve) }, disk.folder)
  try {
    const load = new MixedLoad(ground, report, { bytes: PAGE_BYTES })
    await load.prepare()
    const { server } = ground
    load.start()
    const end = performance.now() + MAX_FILLING_MS
    while (load.refusals < ENOUGH_REFUSALS && performance.now() < end) {
      const trouble = await ground.troubleOfTheRest()
      if (trouble !== undefined) report.violate(`${name}: ${trouble}`)
      await pause(20)
    }
    if (load.refusals < ENOUGH_REFUSALS) report.violate(`${name}: never full`)
    const { bavail, bsize } = statfsSync(disk.folder)
    // A write under way when the reserve is reached may still be done.
    if (bavail * bsize < reserve - 4 * MIB) report.violate(`${name}: only ${bavail * bsize} bytes are left`)
    await load.verify({ isFull: true })

    disk.remount(large)
    const before = load.refusals
    await pause(AFTERWARDS_MS)
    await load.stop()
    if (load.refusals > before + 8)
      report.violate(`${name}: ${load.refusals - before} refusals when there was room again`)
    if (ground.server !== server) throw new Error('the service was started again')
    await ground.restart()
    for (const damage of ground.slugs().flatMap((slug) => ground.damage(slug))) report.violate(`${name}: ${damage}`)
    await load.verify()
  } finally {
    await ground.kill()
    disk.unmount()
  }
}
