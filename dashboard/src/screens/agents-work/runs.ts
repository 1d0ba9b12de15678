// Runs of agents: the commits of one agent without a long pause between them.

import type { Commit } from '../../api/client.js'

/** A longer pause begins another run. */
const MAX_PAUSE_MS = 30 * 60_000

export interface Run {
  /** The commits, newest first. */
  commits: Commit[]
}

/** Groups commits, which are newest first, into runs, by their newest commits. Commits without an agent are left out. */
export function runsIn(commits: readonly Commit[]): Run[] {
  const runs: Run[] = []
  for (const commit of commits) {
    const { agent } = commit
    if (agent === undefined) continue
    // The newest run of the agent is the last one that was begun.
    const open = runs.findLast((run) => run.commits[0]?.agent?.id === agent.id)
    const last = open?.commits.at(-1)
    const isNear = last !== undefined && Date.parse(last.createdAt) - Date.parse(commit.createdAt) <= MAX_PAUSE_MS
    if (open !== undefined && isNear) open.commits.push(commit)
    else runs.push({ commits: [commit] })
  }
  return runs
}
