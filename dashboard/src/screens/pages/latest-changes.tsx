// The rows of the latest changes: each opens to its difference, and can be undone.

import type { Commit, Site } from '../../api/client.js'
import { ByDay } from '../history/by-day.js'
import { SiteChange } from '../history/site-change.js'
import { useTakeBack } from '../history/use-take-back.js'

interface LatestChangesProps {
  site: Site
  commits: readonly Commit[]
  onChanged: () => void
}

export function LatestChanges({ site, commits, onChanged }: LatestChangesProps) {
  const { takeBack, dialog } = useTakeBack(site, onChanged)
  return (
    <>
      <ByDay entries={commits} timeOf={({ createdAt }) => createdAt}>
        {(commit) => (
          <SiteChange key={commit.id} site={site} commit={commit} onTakeBack={() => takeBack(commit)} isUndoShown />
        )}
      </ByDay>
      {dialog}
    </>
  )
}
