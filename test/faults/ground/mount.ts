// File systems that a case may fill and cut off from power.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Mounted {
  /** The mount point. */
  folder: string
  /** Changes its options, such as `size=64M`, while it is in use. */
  remount(options: string): void
  unmount(): void
}

export interface Image extends Mounted {
  /** Drops everything that was not synced; every later call fails. */
  cutPower(): void
  /** Mounts the image again after a cut. */
  mountAgain(): void
}

/** Tries, a tenth of a second apart. */
const MAX_UNMOUNTS = 100

export type DiskFormat = 'ext4' | 'xfs'

/** Options of mkfs. */
const FORMAT: Readonly<Record<DiskFormat, readonly string[]>> = { ext4: ['-q', '-F'], xfs: ['-q', '-f'] }

/** Mounts a file system in memory, with options of tmpfs(5): `size=`, `nr_inodes=`. */
export function mountMemory(options: string): Mounted {
  const { parent, folder } = makeFolders()
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'palimpsest-faults', folder])
  return withUnmount(parent, folder)
}

/** Mounts a loop image, which stands for a disk, with options of mount(8). */
export function mountImage(format: DiskFormat, options = 'relatime'): Image {
  const { parent, folder } = makeFolders()
  const image = join(parent, 'disk')
  const mount = () => void execFileSync('mount', ['-o', `loop,${options}`, image, folder])
  execFileSync('truncate', ['-s', '400M', image])
  execFileSync(`mkfs.${format}`, [...FORMAT[format], image])
  mount()
  return {
    ...withUnmount(parent, folder),
    cutPower: () => void execFileSync('xfs_io', ['-x', '-c', 'shutdown', folder]),
    mountAgain() {
      unmountSoon(folder)
      mount()
    },
  }
}

/** Unmounts once no process of the killed service has a file open there: its children end a moment after it. */
function unmountSoon(folder: string): void {
  for (let tries = 1; spawnSync('umount', [folder]).status !== 0; tries++) {
    if (tries === MAX_UNMOUNTS) throw new Error(`${folder} is still in use`)
    execFileSync('sleep', ['0.1'])
  }
}

function makeFolders(): { parent: string; folder: string } {
  const parent = mkdtempSync(join(tmpdir(), 'palimpsest-mount-'))
  const folder = join(parent, 'mounted')
  mkdirSync(folder)
  return { parent, folder }
}

function withUnmount(parent: string, folder: string): Mounted {
  return {
    folder,
    remount: (options) => void execFileSync('mount', ['-o', `remount,${options}`, folder]),
    unmount() {
      // A process of the service may outlive it by a moment.
      spawnSync('umount', ['--lazy', folder])
      rmSync(parent, { recursive: true, force: true })
    },
  }
}
