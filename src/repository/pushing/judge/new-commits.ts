// Finds the commits that a push brings, and whether main's history stays linear. Most pushes are some commits in a row on main, for
// which no program is started; git walks all others.

import { GitFailed, runGit } from '../../../git/command.js'
import type { Oid } from '../../../git/objects/oid.js'
import type { ObjectReader } from '../../../git/storage/object-reader.js'
import { lacksObjects } from './push-messages.js'
import { maxObjectBytes } from './size-limits.js'

/** Above this number git lists the commits of a row too. */
const MAX_ROW_COMMITS = 100

/** The objects of a push, for git. */
export interface GitPlace {
  gitdir: string
  /** The folder of the new objects; undefined if they are in the repository, with refs that name them. */
  quarantine: string | undefined
}

/** Returns the commits from `after` back to `before`, if each is the only parent of the next; undefined for any other history. */
export function commitsInRow(objects: ObjectReader, before: Oid, after: Oid): Oid[] | undefined {
  const commits: Oid[] = []
  for (let oid = after; oid !== before; ) {
    const { type, size } = objects.readHeader(oid)
    if (type !== 'commit' || size > maxObjectBytes(type) || commits.push(oid) > MAX_ROW_COMMITS) return undefined
    const [parent, ...others] = objects.readCommit(oid).parents
    if (parent === undefined || others.length > 0) return undefined
    oid = parent
  }
  return commits
}

/** Lists the commits that these objects reach and that the repository's refs do not. Throws PushRefused if one is missing. */
export async function listNewCommits(place: GitPlace, tips: readonly Oid[]): Promise<Oid[]> {
  const known = place.quarantine === undefined ? [] : ['--not', '--all']
  const input = [Buffer.from(tips.map((oid) => `${oid}\n`).join(''))]
  const listed = await askGit(place, ['rev-list', '--stdin', ...known], input)
  return listed === '' ? [] : listed.split('\n')
}

/**
 * Returns the first commit on the first-parent history of `after` that `before` is or has in its history; undefined if there is none. A
 * linear history returns `before`. Throws PushRefused if a commit is missing.
 */
export async function whereTheyMeet(place: GitPlace, before: Oid, after: Oid): Promise<Oid | undefined> {
  // Ends at the commits that the old head reaches. The last line has the commit after it, and its parents.
  const listed = await askGit(place, ['rev-list', '--first-parent', '--parents', after, `^${before}`])
  if (listed === '') return after
  return listed.slice(listed.lastIndexOf('\n') + 1).split(' ')[1]
}

/** Runs a command that reads the objects of a push. Throws PushRefused if one is missing. */
export async function askGit({ gitdir, quarantine }: GitPlace, args: string[], input: Buffer[] = []): Promise<string> {
  try {
    const options = { input, ...(quarantine !== undefined && { newObjects: quarantine }) }
    return (await runGit(gitdir, args, options)).toString().trimEnd()
  } catch (error) {
    throw error instanceof GitFailed && error.exitCode !== undefined ? lacksObjects() : error
  }
}
