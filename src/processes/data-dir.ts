// Prepares the data directory: it must exist, be usable by the service, and be unreadable for other users of the machine. Everything
// in it is private: unpublished pages, records, the hashes of keys, the secret that signs links.

import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  lchownSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join, sep } from 'node:path'
import type { Logger } from 'pino'
import { CATALOG_COPY, catalogFileIn } from '../catalog/catalog-file.js'
import { type Config, InvalidConfiguration } from './config/config.js'
import { makeFolders } from '../git/disk/make-folders.js'

type DataDirConfig = Pick<Config, 'dataDir' | 'dataGroup'>

const PRIVATE_MODE = 0o700
/** Has the set-group-ID bit, so that new files belong to DATA_GROUP. */
const GROUP_MODE = 0o2750
const MODE_BITS = 0o7777

/** Makes new files of this process and its children private: 0700 and 0600; with DATA_GROUP 0750 and 0640. */
export function restrictNewFiles({ dataGroup }: Pick<Config, 'dataGroup'>): void {
  process.umask(dataGroup === undefined ? 0o077 : 0o027)
}

/** Creates the directory or tightens its mode. Throws InvalidConfiguration if it cannot be used. */
export function prepareDataDir(config: DataDirConfig, logger: Pick<Logger, 'warn'>): void {
  const { dataDir, dataGroup } = config
  try {
    makeFolders(dataDir, PRIVATE_MODE)
    // The separator makes this fail for a file, too.
    accessSync(dataDir + sep, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new InvalidConfiguration([`DATA_DIR (${dataDir}) cannot be used: ${(error as Error).message}`])
  }
  const gid = dataGroup === undefined ? undefined : gidOf(dataGroup)
  const { mode, gid: before } = statSync(dataDir)
  const wanted = gid === undefined ? PRIVATE_MODE : GROUP_MODE
  if ((mode & MODE_BITS) === wanted && (gid === undefined || gid === before)) return
  try {
    if (gid !== undefined) giveToGroup(dataDir, gid)
    chmodSync(dataDir, wanted)
  } catch (error) {
    if (gid !== undefined)
      throw new InvalidConfiguration([`DATA_GROUP cannot be given DATA_DIR (${dataDir}): ${(error as Error).message}`])
    logger.warn({ err: error }, 'the mode of DATA_DIR cannot be changed: other users may read it')
    return
  }
  // A folder without data was readable for nobody's harm.
  if (![catalogFileIn(dataDir), join(dataDir, CATALOG_COPY)].some((file) => existsSync(file))) return
  logger.warn(
    `DATA_DIR had the mode ${octal(mode)}; it is now ${octal(wanted)}${gid === undefined ? '' : `, group ${dataGroup}`}`,
  )
}

/** Throws InvalidConfiguration for the other kind of folder: a single machine's is the only copy of its data, a node's can be rebuilt. */
export function refuseOtherData({ dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>): void {
  if (databaseUrl !== undefined && existsSync(catalogFileIn(dataDir)))
    throw new InvalidConfiguration([
      `DATA_DIR (${dataDir}) holds the data of one machine: a node needs a folder of its own`,
    ])
  if (databaseUrl === undefined && existsSync(join(dataDir, CATALOG_COPY)))
    throw new InvalidConfiguration([
      `DATA_DIR (${dataDir}) is that of a node: set DATABASE_URL, or choose another folder`,
    ])
}

/** Removes the former index: one `index.db` for all sites, with their texts in `text`. Both are built anew in `index`. */
export function removeFormerIndex(dataDir: string): void {
  const former = readdirSync(dataDir).filter((name) => name === 'text' || /^index\.db(?:-|\.|$)/.test(name))
  for (const name of former) rmSync(join(dataDir, name), { recursive: true, force: true })
}

/** Changes the folder after everything below it: after a crash in between, the next start repeats the work. */
function giveToGroup(folder: string, gid: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const stat = lstatSync(path)
    if (stat.isDirectory()) {
      giveToGroup(path, gid)
      chmodSync(path, GROUP_MODE)
    } else if (stat.isSymbolicLink()) {
      lchownSync(path, stat.uid, gid)
    } else {
      chownSync(path, stat.uid, gid)
      chmodSync(path, (stat.mode & 0o750) | 0o040)
    }
  }
  chownSync(folder, statSync(folder).uid, gid)
}

/** Returns the number of a group, given by its name in group(5) or by its number. */
function gidOf(group: string): number {
  if (/^\d+$/.test(group)) return Number(group)
  const entries = readFileSync('/etc/group', 'utf8').split('\n')
  const entry = entries.map((line) => line.split(':')).find(([name]) => name === group)
  if (entry !== undefined) return Number(entry[2])
  throw new InvalidConfiguration([`DATA_GROUP is "${group}": /etc/group has no such group. Give its number.`])
}

function octal(mode: number): string {
  return (mode & MODE_BITS).toString(8).padStart(4, '0')
}
