// Undo what one commit did, as `git revert` does: file by file, merged as text where the file changed since.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GitFailed, NO_REPOSITORY, runGitSync } from '../../git/command.js'
import { parseMessage } from '../../git/objects/commit.js'
import { diffTrees, type TreeChange } from '../../git/objects/diff.js'
import { isFirstParentAncestor } from '../../git/repository/history.js'
import { ServiceError } from '../../model/errors.js'
import { pagePathOf } from '../../model/paths/page-path.js'
import { SITE_FILE } from '../format/site-format.js'
import type { SiteState } from './site-state.js'
import { type Outcome, unchanged } from './outcome.js'
import { assertPathFree } from './page-place.js'

interface Conflict {
  path: string
  /** The file with git's conflict markers, or a sentence where text cannot be merged. */
  hunks: string
}

export function revertCommit(state: SiteState, operation: { commit: string }): Outcome {
  const { commit: oid } = operation
  if (!state.odb.has(oid) || !isFirstParentAncestor(state.odb, oid, state.head)) {
    throw new ServiceError('version_not_found', "This commit is not in the site's history.")
  }
  const commit = state.odb.readCommit(oid)
  const parent = commit.parents[0]
  if (parent === undefined) throw new ServiceError('conflict', 'The first commit made the site and cannot be reverted.')
  const conflicts: Conflict[] = []
  for (const change of diffTrees(state.odb, state.odb.readCommit(parent).tree, commit.tree)) {
    const conflict = undo(state, change)
    if (conflict !== undefined) conflicts.push(conflict)
  }
  if (conflicts.length > 0) {
    throw new ServiceError(
      'revert_conflict',
      'Later commits changed the same places. Roll back single pages instead, or revert the later commits first.',
      { conflicts },
    )
  }
  if (state.tree.editedPaths.length === 0) return unchanged(oid)
  const { subject } = parseMessage(commit.message)
  return { id: oid, created: false, subject: `Revert "${subject}"`, body: `This reverts commit ${oid}.` }
}

/** Stages the opposite of one change; answers the conflict where that cannot be done. */
function undo(state: SiteState, { path, before, after }: TreeChange): Conflict | undefined {
  const now = state.tree.entry(path)
  if (path === SITE_FILE) return { path, hunks: 'The site file is never reverted.' }
  if (now?.oid === before?.oid && now?.mode === before?.mode) return undefined
  if (now?.oid !== after?.oid) return merge(state, path, now?.oid, after?.oid, before)
  if (before === undefined) state.tree.remove(path)
  else {
    const page = pagePathOf(path)
    if (now === undefined && page !== undefined) assertPathFree(state, page)
    state.tree.putExisting(path, before.mode, before.oid)
  }
  return undefined
}

function merge(
  state: SiteState,
  path: string,
  now: string | undefined,
  base: string | undefined,
  before: { mode: number; oid: string } | undefined,
): Conflict | undefined {
  if (now === undefined || base === undefined || before === undefined) {
    return { path, hunks: now === undefined ? 'The file is gone since.' : 'The file was changed since.' }
  }
  const merged = mergeText(state.tree.readBlob(now), state.tree.readBlob(base), state.tree.readBlob(before.oid))
  if (!merged.clean) return { path, hunks: merged.text.toString('utf8').slice(0, 64 * 1024) }
  state.tree.put(path, merged.text)
  return undefined
}

/** `git merge-file`: the same three-way merge that `git revert` makes. */
function mergeText(ours: Buffer, base: Buffer, theirs: Buffer): { clean: boolean; text: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-merge-'))
  try {
    const files = Object.entries({ current: ours, reverted: base, before: theirs }).map(([name, bytes]) => {
      writeFileSync(join(folder, name), bytes)
      return name
    })
    return { clean: true, text: runGitSync(NO_REPOSITORY, ['merge-file', '-p', ...files], { cwd: folder }) }
  } catch (error) {
    // 1 to 127 is the number of conflicts; 255 says that the files are binary.
    if (error instanceof GitFailed && error.exitCode !== undefined) return { clean: false, text: error.stdout }
    throw error
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
