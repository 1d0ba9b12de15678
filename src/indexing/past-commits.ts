// Finds past commits of a site for visitors, only on main's first-parent chain, and tells which files a later commit removed.
// Asks the index, and walks only the commits that are not indexed yet. Each head is walked once, so that asking for an unknown
// commit costs nothing.

import type { SiteIndexes } from '../index/site-index.js'
import { ServiceError } from '../model/errors.js'
import { isFile } from '../repository/format/file-mode.js'
import type { Snapshot } from '../repository/reading/snapshot.js'

/** An index that is further behind must catch up first. */
const MAX_WALKED_COMMITS = 200

export interface PastCommits {
  /** Finds the only commit at or before `head` whose id begins with `prefix`; undefined for none and for several. */
  find(head: Snapshot, prefix: string): string | undefined
  /** Finds the head at a time in seconds; the oldest commit for times before it. */
  asOf(head: Snapshot, time: number): string | undefined
  /** Whether a commit after `oid`, up to `head`, removed the file at `treePath`. `oid` is on the chain and has the file. */
  isRemovedAfter(head: Snapshot, oid: string, treePath: string): boolean
}

export interface PastCommitsParts {
  /** Undefined in a process that opens none: only the history answers, up to a limit. */
  indexes: Pick<SiteIndexes, 'of'> | undefined
  /** Called for a site whose index is far behind, or missing but needed. */
  onBehind?: (siteId: string) => void
}

interface Recent {
  /** Newest first. */
  commits: readonly { oid: string; time: number }[]
  /** The indexed commit before them; undefined if they are the whole history. */
  after: string | undefined
}

/** Creates the look-ups. All throw `site_busy` while the index is far behind, and `site_unreadable`. */
export function createPastCommits({ indexes, onBehind }: PastCommitsParts): PastCommits {
  const recents = new WeakMap<Snapshot, Recent>()

  function recentOf(head: Snapshot): Recent {
    const known = recents.get(head)
    // A lost index is filled again from the oldest commit on.
    if (
      known !== undefined &&
      (known.after === undefined || (indexes?.of(head.siteId).commits.findByPrefix(known.after).length ?? 0) > 0)
    ) {
      return known
    }
    const recent = walk(head, indexes?.of(head.siteId).indexedCommit)
    recents.set(head, recent)
    return recent
  }

  /** Walks back to `indexed`, the commit up to which the index knows the history. */
  function walk(head: Snapshot, indexed: string | undefined): Recent {
    const commits: { oid: string; time: number }[] = []
    for (const commit of head.firstParents()) {
      if (commit.oid === indexed) return { commits, after: indexed }
      commits.push(commit)
      if (commits.length < MAX_WALKED_COMMITS) continue
      onBehind?.(head.siteId)
      throw new ServiceError('site_busy', "This site's history is being indexed. Try again shortly.")
    }
    return { commits, after: undefined }
  }

  /** Answers from the index and the history; if the index fails, from the history alone. Hosting never depends on the index. */
  function ask<T>(head: Snapshot, answer: (recent: Recent) => T): T {
    try {
      return answer(recentOf(head))
    } catch (error) {
      if (indexes === undefined) throw error
      if (error instanceof ServiceError && error.code !== 'storage_failed') throw error
      return answer(walk(head, undefined))
    }
  }

  return {
    find: (head, prefix) =>
      ask(head, ({ commits, after }) => {
        const recent = commits.flatMap(({ oid }) => (oid.startsWith(prefix) ? [oid] : []))
        const indexed = after === undefined ? [] : (indexes?.of(head.siteId).commits.findByPrefix(prefix) ?? [])
        const found = new Set([...recent, ...indexed])
        const [oid] = found
        return found.size === 1 ? oid : undefined
      }),
    asOf: (head, time) =>
      ask(head, ({ commits, after }) => {
        const recent = commits.find((commit) => commit.time <= time)?.oid
        return recent ?? (after === undefined ? commits.at(-1)?.oid : indexes?.of(head.siteId).commits.findAsOf(time))
      }),
    isRemovedAfter: (head, oid, treePath) =>
      ask(head, ({ commits, after }) => {
        for (const { oid: later } of commits) {
          if (later === oid) return false
          if (!isFile(head.commitAt(later)?.entry(treePath)?.mode)) return true
        }
        return after !== undefined && indexes?.of(head.siteId).commits.isRemovedAfter(treePath, oid) === true
      }),
  }
}
