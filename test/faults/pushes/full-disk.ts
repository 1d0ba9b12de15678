// Pushes onto a disk that becomes full at every stage of them, by bytes and by inodes: refused in words and without a trace, and taken
// once there is room again.

import { execFileSync } from 'node:child_process'
import { Ground } from '../ground/ground.js'
import { type Mounted, mountMemory } from '../ground/mount.js'
import type { FaultProgram, Report } from '../program.js'
import type { Operation } from '../sweeps/operations.js'
import { PUSHES } from './push-operations.js'

interface Room {
  /** Column of df(1), and option of tmpfs(5). */
  unit: { column: 'used' | 'iused'; option: (count: number) => string }
  name: string
  /** Grows from nothing until the push succeeds. */
  step: number
}

const KIB = { column: 'used', option: (kib: number) => `size=${kib}k` } as const
const INODES = { column: 'iused', option: (count: number) => `nr_inodes=${count}` } as const
/** A page of memory is the least that a tmpfs gives. */
const ROOMS: readonly Room[] = [
  { unit: KIB, name: 'KiB', step: 4 },
  { unit: INODES, name: 'inodes', step: 1 },
]
const LARGE_STEP_KIB = 64
const PLENTY = 'size=512M,nr_inodes=100000'
/** A push that still finds no room then makes no progress. */
const MAX_STEPS = 150
/** Successes needed in a row: the needs of a database or the index differ each time. */
const ENOUGH = 3

export const pushesOnFullDisk: FaultProgram = {
  name: 'full-disk-pushes',
  about: 'the disk becomes full at every stage of the same pushes; then there is room again',
  needs: ['root'],
  async run(report) {
    for (const push of PUSHES) for (const room of ROOMS) await fill(push, room, report)
  },
}

async function fill(push: Operation, room: Room, report: Report): Promise<void> {
  const disk = mountMemory(PLENTY)
  const ground = await Ground.prepare({}, disk.folder)
  try {
    const step = push.name === 'large push' && room.unit === KIB ? LARGE_STEP_KIB : room.step
    let taken = 0
    for (let steps = 0; taken < ENOUGH; steps++) {
      if (steps === MAX_STEPS) throw new Error(`${push.name}: never taken, with ${steps * step} ${room.name}`)
      taken = (await pushInto({ ground, disk, push, room, count: steps * step }, report)) ? taken + 1 : 0
    }
    await ground.restart()
    for (const damage of ground.damage()) report.violate(`${push.name}: ${damage}`)
  } finally {
    await ground.kill()
    disk.unmount()
  }
}

interface Case {
  ground: Ground
  disk: Mounted
  push: Operation
  room: Room
  count: number
}

/** Whether the push was taken while there was no more room than that. */
async function pushInto({ ground, disk, push, room, count }: Case, report: Report): Promise<boolean> {
  const name = `${push.name.replace(' ', '-')}-${count}-${room.name.toLowerCase()}`
  const trial = await push.prepare(ground, name)
  report.begin(name)
  disk.remount(room.unit.option(usedOf(disk.folder, room.unit.column) + count))
  const sent = await trial.send()
  const trouble = await ground.troubleOfTheRest()
  if (trouble !== undefined) report.violate(`${name}: ${trouble}`)
  disk.remount(PLENTY)
  const isTaken = sent.status === 200
  if (!isTaken && sent.status !== 507 && sent.status !== 503)
    report.violate(`${name}: answered ${sent.status} ${JSON.stringify(sent.body)}`)
  const state = await trial.observe()
  if (isTaken && state !== 'after') report.lose(`${name}: ${state}`)
  if (state === 'neither') report.violate(`${name}: half done`)
  if (isTaken) report.acknowledge()
  else await pushAgain(ground, trial, name, report)
  for (const left of await ground.leftovers()) report.violate(`${name}: left ${left}`)
  return isTaken
}

async function pushAgain(
  ground: Ground,
  trial: Awaited<ReturnType<Operation['prepare']>>,
  name: string,
  report: Report,
): Promise<void> {
  const again = await trial.send()
  if (again.status !== 200) report.violate(`${name}: afterwards ${again.status} ${JSON.stringify(again.body)}`)
  else report.acknowledge()
  if ((await trial.observe()) !== 'after') report.lose(`${name}: pushed again`)
  const trouble = await ground.troubleOfTheRest()
  if (trouble !== undefined) report.violate(`${name}: ${trouble}`)
}

function usedOf(folder: string, column: Room['unit']['column']): number {
  return Number(execFileSync('df', [`--output=${column}`, '-k', folder], { encoding: 'utf8' }).split('\n')[1])
}
