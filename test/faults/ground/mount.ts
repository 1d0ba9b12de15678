// File systems of their own for a case, which it may fill, and whose power it may cut.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Mounted {
  /** Where it is mounted. */
  folder: string
  /** Mounts it with other options, such as `size=64M`, under whoever uses it. */
  remount(options: string): void
  unmount(): void
}

export interface Image extends Mounted {
  /** What was not synced is gone, and everything fails from here on. */
  cutPower(): void
  /** After a cut. */
  mountAgain(): void
}

const FORMAT: Readonly<Record<string, readonly string[]>> = { ext4: ['-q', '-F'], xfs: ['-q', '-f'] }
export const DISK_FORMATS = Object.keys(FORMAT)

/** In memory, with the limits that tmpfs(5) knows: `size=`, `nr_inodes=`. */
export function mountMemory(options: string): Mounted {
  const { parent, folder } = makeFolders()
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'palimpsest-faults', folder])
  return withUnmount(parent, folder)
}

/** In a loop image, which stands for a disk. */
export function mountImage(format: string): Image {
  const { parent, folder } = makeFolders()
  const image = join(parent, 'disk')
  const mount = () => void execFileSync('mount', ['-o', 'loop', image, folder])
  execFileSync('truncate', ['-s', '400M', image])
  execFileSync(`mkfs.${format}`, [...(FORMAT[format] ?? []), image])
  mount()
  return {
    ...withUnmount(parent, folder),
    cutPower: () => void execFileSync('xfs_io', ['-x', '-c', 'shutdown', folder]),
    mountAgain() {
      execFileSync('umount', [folder])
      mount()
    },
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
      spawnSync('umount', [folder])
      rmSync(parent, { recursive: true, force: true })
    },
  }
}
