// One run of an agent: who let it in, its commits with their reasons and differences, and the button that undoes it.

import type { Commit, Site } from '../../api/client.js'
import { formatCount } from '../../format.js'
import { Age } from '../../parts/age.js'
import { Allowed } from '../../parts/allowed.js'
import { CommitEntry } from '../site/commit-entry.js'
import type { Run } from './runs.js'

interface RunEntryProps {
  site: Site
  run: Run
  onUndo: () => void
  onRevert: (commit: Commit) => void
}

export function RunEntry({ site, run: { commits }, onUndo, onRevert }: RunEntryProps) {
  const [newest] = commits
  if (newest === undefined) return null
  const name = newest.agent?.name ?? 'An agent'
  const count = formatCount(commits.length, 'commit')
  return (
    <li>
      <div class="bar">
        <h2 class="grow">
          {name} for {newest.author}
        </h2>
        <span class="hint">
          {count}, <Age of={newest.createdAt} />
        </span>
        <Allowed to="write">
          <button type="button" aria-label={`Undo the run of ${name}: ${count}`} onClick={onUndo}>
            Undo the run
          </button>
        </Allowed>
      </div>
      <ol class="commits">
        {commits.map((commit) => (
          <CommitEntry key={commit.id} site={site} commit={commit} onRevert={() => onRevert(commit)} />
        ))}
      </ol>
    </li>
  )
}
