// Finds where proposed commits begin, so that they can be the branch of a change request. Its first parents lead to a commit of main, and a
// merge of main on the way brings it up to date (docs/decisions/0095-a-change-request-is-a-place-of-its-site.md).

import type { Oid } from '../../git/objects/oid.js'
import { askGit, type GitPlace, whereTheyMeet } from './judge/new-commits.js'
import { PushRefused, refusal } from './judge/push-messages.js'

const NOTHING = 'there is nothing to propose: main has this commit already.'
const UNRELATED =
  'this history does not begin with a commit of main. Clone the site, and propose what you commit there.'
const MIXED =
  'main was merged into it by way of another branch. Make it commits on top of main: git pull --rebase <remote> main, then push again.'

/**
 * Returns the commit of main from which the first parents of the tip lead away. `onMain` returns those of the commits that are on main's
 * first-parent history. Throws PushRefused.
 */
export async function findFork(
  place: GitPlace,
  head: Oid,
  tip: Oid,
  onMain: (commits: readonly Oid[]) => Promise<readonly Oid[]>,
): Promise<Oid> {
  // Newest first, each with its parents: the last one's first parent is the first that main has.
  const listed = await askGit(place, ['rev-list', '--first-parent', '--parents', tip, `^${head}`])
  if (listed === '') throw refusal(NOTHING)
  const lines = listed.split('\n').map((line) => line.split(' '))
  const fork = lines.at(-1)?.[1]
  if (fork === undefined) throw refusal(UNRELATED)
  const merged = lines.flatMap((line) => line[2] ?? [])
  const known = new Set(await onMain([fork, ...merged]))
  if (!known.has(fork)) throw refusal(UNRELATED)
  const base = merged.find((oid) => known.has(oid)) ?? fork
  if (!(await isOnlyBase(place, { base, head, tip }))) throw refusal(MIXED)
  return fork
}

/** Whether the branch goes on from `head`: commits that the pusher lacks are not there. */
export async function goesOn(place: GitPlace, head: Oid, tip: Oid): Promise<boolean> {
  try {
    return (await whereTheyMeet(place, head, tip)) === head
  } catch (error) {
    if (error instanceof PushRefused) return false
    throw error
  }
}

/** Returns the first line of the commit's message. */
export async function subjectOf(place: GitPlace, commit: Oid): Promise<string> {
  return await askGit(place, ['show', '--no-patch', '--format=%s', commit])
}

/** Whether git would merge both by this commit alone. Then a merge by it brings nothing back that main removed. */
async function isOnlyBase(place: GitPlace, { base, head, tip }: { base: Oid; head: Oid; tip: Oid }): Promise<boolean> {
  return (await askGit(place, ['merge-base', '--all', head, tip])) === base
}
