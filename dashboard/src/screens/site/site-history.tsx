// The commits of a site, newest first, with a button to revert one; and the site's tags.

import { useState } from 'preact/hooks'
import { api, type Commit, dataOf, type Site } from '../../api/client.js'
import { useList } from '../../api/use-list.js'
import { useTitle } from '../../browser/title.js'
import { notify, notifyFailure } from '../../parts/notices.js'
import { AwaitList } from '../../parts/state.js'
import { CommitEntry } from './commit-entry.js'
import { RevertCommit } from './revert-commit.js'
import { SiteTags } from './site-tags.js'

export function SiteHistoryScreen({ site }: { site: Site }) {
  const params = { path: { id: site.id } }
  const commits = useList<Commit>(`commits ${site.id}`, (cursor, signal) =>
    api.GET('/sites/{id}/commits', { params: { ...params, query: { limit: 50, ...cursor } }, signal }),
  )
  useTitle('History', site.slug)
  const [target, setTarget] = useState<Commit>()
  const undo = async (made: Commit) => {
    try {
      dataOf(await api.POST('/sites/{id}/revert', { params, body: { commit: made.id } }))
      commits.reload()
      notify('The revert is undone.')
    } catch (error) {
      notifyFailure(error)
    }
  }
  const reverted = ({ subject }: Commit, made: Commit) => {
    setTarget(undefined)
    commits.reload()
    if (made.changed === false) notify('There is nothing left to revert.')
    else notify(`“${subject}” is reverted.`, { label: 'Undo', run: () => void undo(made) })
  }
  return (
    <>
      <div class="bar">
        <h2 class="grow">History</h2>
      </div>
      <SiteTags site={site} />
      <AwaitList of={commits} moreLabel="Older commits" empty={null}>
        {(entries) => (
          <ol class="commits">
            {entries.map((commit) => (
              <CommitEntry key={commit.id} site={site} commit={commit} onRevert={() => setTarget(commit)} />
            ))}
          </ol>
        )}
      </AwaitList>
      {target && (
        <RevertCommit
          site={site}
          commit={target}
          onClose={() => setTarget(undefined)}
          onDone={(made) => reverted(target, made)}
        />
      )}
    </>
  )
}
