// Deploys onto a disk that becomes full at every stage of them, and whose task process is killed: the client tries again, and the
// folder is published once and whole.

import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { doSideBySide } from '../../../src/protocols/client/side-by-side.js'
import type { Folder } from '../../scenarios/files/folder.js'
import { Ground } from '../ground/ground.js'
import { mountMemory } from '../ground/mount.js'
import { deployFolder } from '../load/deploy-folder.js'
import type { FaultProgram, Report } from '../program.js'

const FILES = 300
const LARGE_BYTES = 3_000_000
/** Room that is left when a deploy begins, in steps from too little for its manifest to more than enough. */
const ROOM_KIB = [8, 64, 256, 1024, 2048, 3072, 4096, 5120, 6144, 8192, 12_288]
const KILL_AFTER_MS = [20, 60, 120, 200, 300, 450]
const FILLED_BYTES = 64 * 1024 * 1024

export const deploys: FaultProgram = {
  name: 'deploys',
  about:
    'the disk becomes full at every stage of a deploy, or the process that builds it is killed; then the client goes on',
  needs: ['root'],
  async run(report) {
    const ground = await Ground.prepare()
    try {
      // Task processes start when they are first needed.
      await goOn(ground, folderFor('warm'), 'warm', report)
      for (const milliseconds of KILL_AFTER_MS) {
        report.begin(`task process killed after ${milliseconds} ms`, ROOM_KIB.length + KILL_AFTER_MS.length)
        await withKilledTask(ground, milliseconds, report)
      }
    } finally {
      await ground.destroy()
    }
    for (const kib of ROOM_KIB) {
      report.begin(`full after ${kib} KiB`, ROOM_KIB.length + KILL_AFTER_MS.length)
      await onFullDisk(kib, report)
    }
  },
}

async function onFullDisk(kib: number, report: Report): Promise<void> {
  const name = `full-${kib}`
  const disk = mountMemory('size=256M')
  const ground = await Ground.prepare({}, disk.folder)
  try {
    const files = folderFor(name)
    const used = Number(execFileSync('df', ['--output=used', '-k', disk.folder], { encoding: 'utf8' }).split('\n')[1])
    disk.remount(`size=${used + kib}k`)
    const refused = await deployFolder(ground.api, files, name)
    if (![200, 503, 507].includes(refused.status))
      report.violate(`${name}: answered ${refused.status} ${JSON.stringify(refused.body)}`)
    const trouble = await ground.troubleOfTheRest()
    if (trouble !== undefined) report.violate(`${name}: ${trouble}`)
    await judge(ground, files, refused.status === 200 ? 'whole' : 'nothing', name, report)
    disk.remount(`size=${FILLED_BYTES * 4}`)
    await goOn(ground, files, name, report)
    await ground.restart()
    await judge(ground, files, 'whole', name, report)
    for (const damage of ground.damage()) report.violate(`${name}: ${damage}`)
  } finally {
    await ground.kill()
    disk.unmount()
  }
}

async function withKilledTask(ground: Ground, milliseconds: number, report: Report): Promise<void> {
  const name = `killed-${milliseconds}`
  const files = folderFor(name)
  const deployed = deployFolder(ground.api, files, name)
  await pause(milliseconds)
  for (const pid of childrenOf(ground.server.pid)) process.kill(pid, 'SIGKILL')
  const { status, body } = await deployed
  if (status !== 200 && status !== 503) report.violate(`${name}: answered ${status} ${JSON.stringify(body)}`)
  await judge(ground, files, status === 200 ? 'whole' : 'nothing', name, report)
  await goOn(ground, files, name, report)
}

/** The client tries again: the folder is there, once, and nothing of the tries is left. */
async function goOn(ground: Ground, files: Folder, name: string, report: Report): Promise<void> {
  const done = await deployFolder(ground.api, files, name)
  if (done.status !== 200) return report.violate(`${name}: afterwards ${done.status} ${JSON.stringify(done.body)}`)
  report.acknowledge()
  await judge(ground, files, 'whole', name, report)
  const again = await deployFolder(ground.api, files, name)
  if (JSON.stringify(again.body.data) !== JSON.stringify(done.body.data))
    report.violate(`${name}: published again it is ${JSON.stringify(again.body)}`)
  const uploads = join(ground.dataDir, '.uploads')
  const left = readdirSync(uploads, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(?:pack|idx|new)$|^once-/.test(file),
  )
  for (const file of left) report.violate(`${name}: left ${file}`)
  for (const file of await ground.leftovers()) report.violate(`${name}: left ${file}`)
}

async function judge(
  ground: Ground,
  files: Folder,
  expected: 'whole' | 'nothing',
  name: string,
  report: Report,
): Promise<void> {
  const all = Object.entries(files)
  let right = 0
  let absent = 0
  await doSideBySide(all, async ([path, bytes]) => {
    const seen = await ground.visit(`/${path.replace(/\.html$/, '')}`)
    if (seen === undefined) absent += 1
    else if (seen === bytes.toString()) right += 1
  })
  if (expected === 'whole' && right < all.length) report.lose(`${name}: ${all.length - right} of ${all.length} files`)
  // An answer may be lost on its way: the deploy is there as a whole then.
  if (expected === 'nothing' && absent < all.length && right < all.length)
    report.violate(`${name}: ${all.length - absent} of ${all.length} files are published`)
}

function folderFor(name: string): Folder {
  const files: Folder = { [`${name}/large.txt`]: name.repeat(LARGE_BYTES / name.length) }
  for (let at = 0; at < FILES; at++) files[`${name}/f${at}.${at % 2 ? 'html' : 'txt'}`] = `${name} ${at} `.repeat(at)
  files[`${name}/f0.txt`] = name
  return files
}

/** Task processes lead groups of their own. */
function childrenOf(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=,pgid=', '--ppid', String(pid)], { encoding: 'utf8' })
  const rows = stdout
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number))
  return rows.flatMap(([child = 0, group]) => (child === group ? [child] : []))
}
