// Ways in which a disk or an operator damages a repository, each with the parts of docs/repair.md that repair it.

import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { flipByteOf } from '../../support/damage.js'
import { git } from '../../support/git.js'

export interface Damage {
  name: string
  harm(gitdir: string): void
  /** Headings of docs/repair.md, in order. */
  repair: readonly string[]
}

const GARBAGE = Buffer.from('this is not what should be here\n'.repeat(20))
const AN_OLD_TIME = new Date('2026-01-01T00:00:00Z')

export const DAMAGES: readonly Damage[] = [
  { name: 'a pack cut short', harm: (dir) => onPack(dir, '.pack', cutShort), repair: ['Objects'] },
  { name: 'an empty pack', harm: (dir) => onPack(dir, '.pack', empty), repair: ['Objects'] },
  { name: 'garbage in the middle of a pack', harm: (dir) => onPack(dir, '.pack', spoil), repair: ['Objects'] },
  { name: 'a pack gone', harm: (dir) => onPack(dir, '.pack', remove), repair: ['Objects'] },
  { name: 'an index cut short', harm: (dir) => onPack(dir, '.idx', cutShort), repair: ['Objects'] },
  { name: 'an empty index', harm: (dir) => onPack(dir, '.idx', empty), repair: ['Objects'] },
  { name: 'garbage for an index', harm: (dir) => onPack(dir, '.idx', overwrite), repair: ['Objects'] },
  { name: 'an index gone', harm: (dir) => onPack(dir, '.idx', remove), repair: ['Objects'] },
  { name: 'an empty blob', harm: (dir) => onLoose(dir, 'main:by-hand.html', empty), repair: ['Objects'] },
  { name: 'a blob gone', harm: (dir) => onLoose(dir, 'main:by-hand.html', remove), repair: ['Objects'] },
  { name: 'a flipped byte in a pack', harm: (dir) => flip(dir, 'main:about.html'), repair: ['Objects'] },
  { name: 'a flipped byte in a loose object', harm: (dir) => flip(dir, 'main:by-hand.html'), repair: ['Objects'] },
  { name: 'garbage for a tree', harm: (dir) => onLoose(dir, 'main^{tree}', overwrite), repair: ['Objects'] },
  { name: 'a tree gone', harm: (dir) => onLoose(dir, 'main^{tree}', remove), repair: ['Objects'] },
  { name: 'a commit cut short', harm: (dir) => onLoose(dir, 'main', cutShort), repair: ['Objects'] },
  { name: 'a commit gone', harm: (dir) => onLoose(dir, 'main', remove), repair: ['Objects'] },
  { name: 'no objects', harm: (dir) => remove(join(dir, 'objects')), repair: ['Form', 'Objects'] },
  { name: 'an empty main', harm: (dir) => empty(mainOf(dir)), repair: ['Main'] },
  { name: 'garbage for main', harm: (dir) => overwrite(mainOf(dir)), repair: ['Main'] },
  { name: 'no main', harm: (dir) => remove(mainOf(dir)), repair: ['Main'] },
  { name: 'a folder for main', harm: makeMainAFolder, repair: ['Main'] },
  {
    name: 'main at a commit that never was',
    harm: (dir) => writeFileSync(mainOf(dir), `${'a'.repeat(40)}\n`),
    repair: ['Main'],
  },
  { name: 'no refs', harm: (dir) => remove(join(dir, 'refs')), repair: ['Form', 'Main'] },
  { name: 'garbage for packed-refs', harm: (dir) => overwrite(join(dir, 'packed-refs')), repair: ['Packed refs'] },
  { name: 'main packed, and packed-refs emptied', harm: losePackedMain, repair: ['Main'] },
  { name: 'no HEAD', harm: (dir) => remove(join(dir, 'HEAD')), repair: ['Form'] },
  { name: 'a detached HEAD', harm: (dir) => git(dir, 'update-ref', '--no-deref', 'HEAD', 'main'), repair: ['Form'] },
  { name: 'garbage for HEAD', harm: (dir) => overwrite(join(dir, 'HEAD')), repair: ['Form'] },
  { name: 'no config', harm: (dir) => remove(join(dir, 'config')), repair: ['Form'] },
  { name: 'garbage for config', harm: (dir) => overwrite(join(dir, 'config')), repair: ['Form'] },
  { name: 'a folder for config', harm: (dir) => replaceByFolder(join(dir, 'config')), repair: ['Form'] },
  { name: 'a file for the folder of hooks', harm: (dir) => overwrite(join(dir, 'hooks')), repair: ['Form'] },
  { name: "a file for the service's own folder", harm: (dir) => overwrite(join(dir, 'palimpsest')), repair: ['Form'] },
  {
    name: 'a folder for packed-refs',
    harm: (dir) => replaceByFolder(join(dir, 'packed-refs')),
    repair: ['Packed refs'],
  },
  {
    name: 'garbage for the commit graph',
    harm: (dir) => overwrite(join(dir, 'objects', 'info', 'commit-graph')),
    repair: ['Derived files'],
  },
  {
    name: 'garbage for the index over several packs',
    harm: (dir) => overwrite(join(dir, 'objects', 'pack', 'multi-pack-index')),
    repair: ['Derived files'],
  },
  { name: 'a hook of another service', harm: addHook, repair: ['Foreign programs'] },
  {
    name: 'a setting that runs a command',
    harm: (dir) => git(dir, 'config', 'core.sshCommand', 'touch /tmp/palimpsest-never'),
    repair: ['Foreign programs'],
  },
  { name: 'the repository gone', harm: remove, repair: ['The whole repository'] },
  { name: "git's lock left behind", harm: leaveLock, repair: ['Locks'] },
]

/** Flips a byte of the object, loose or packed. */
function flip(gitdir: string, name: string): void {
  flipByteOf(gitdir, git(gitdir, 'rev-parse', name))
}

function mainOf(gitdir: string): string {
  return join(gitdir, 'refs', 'heads', 'main')
}

/** The largest pack of the repository. */
function onPack(gitdir: string, ending: string, harm: (path: string) => void): void {
  const folder = join(gitdir, 'objects', 'pack')
  const packs = readdirSync(folder).filter((file) => file.endsWith('.pack'))
  const [largest = ''] = packs.toSorted((a, b) => statSync(join(folder, b)).size - statSync(join(folder, a)).size)
  // A new pack without an index would count as being written.
  utimesSync(join(folder, largest), AN_OLD_TIME, AN_OLD_TIME)
  harm(join(folder, largest.replace('.pack', ending)))
}

function onLoose(gitdir: string, name: string, harm: (path: string) => void): void {
  const oid = git(gitdir, 'rev-parse', name)
  const path = join(gitdir, 'objects', oid.slice(0, 2), oid.slice(2))
  if (!existsSync(path)) throw new Error(`${name} is not loose`)
  harm(path)
}

function cutShort(path: string): void {
  truncateSync(path, Math.floor(statSync(path).size / 2))
}

function empty(path: string): void {
  truncateSync(path, 0)
}

function remove(path: string): void {
  rmSync(path, { recursive: true })
}

function overwrite(path: string): void {
  rmSync(path, { recursive: true, force: true })
  writeFileSync(path, GARBAGE)
}

/** Leaves header and checksum as they are, so that only reading the objects shows it. */
function spoil(path: string): void {
  const size = statSync(path).size
  const bytes = Buffer.alloc(size - 32, 0xaa)
  const fd = openSync(path, 'r+')
  writeSync(fd, bytes, 0, bytes.length, 12)
  closeSync(fd)
}

function makeMainAFolder(gitdir: string): void {
  remove(mainOf(gitdir))
  mkdirSync(mainOf(gitdir))
}

function replaceByFolder(path: string): void {
  rmSync(path, { force: true })
  mkdirSync(path)
}

function addHook(gitdir: string): void {
  writeFileSync(join(gitdir, 'hooks', 'post-receive'), '#!/bin/sh\n', { mode: 0o755 })
}

function losePackedMain(gitdir: string): void {
  git(gitdir, 'pack-refs', '--all')
  empty(join(gitdir, 'packed-refs'))
}

function leaveLock(gitdir: string): void {
  const lock = join(gitdir, 'refs', 'heads', 'main.lock')
  writeFileSync(lock, '')
  // Longer ago than git holds it, and since the boot: older ones are removed by themselves.
  const aMinuteAgo = Date.now() / 1000 - 60
  utimesSync(lock, aMinuteAgo, aMinuteAgo)
}
