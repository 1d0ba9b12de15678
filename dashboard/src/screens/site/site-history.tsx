// The commits of a site, newest first, with a button to revert one; and the site's tags.

import { api, type Commit, dataOf, type Site } from '../../api/client.js'
import { useList } from '../../api/use-list.js'
import { useTitle } from '../../browser/title.js'
import { notify, notifyFailure } from '../../parts/notices.js'
import { AwaitList } from '../../parts/state.js'
import { CommitEntry } from './commit-entry.js'
import { SiteTags } from './site-tags.js'

export function SiteHistoryScreen({ site }: { site: Site }) {
  const params = { path: { id: site.id } }
  const commits = useList<Commit>(`commits ${site.id}`, (cursor, signal) =>
    api.GET('/sites/{id}/commits', { params: { ...params, query: { limit: 50, ...cursor } }, signal }),
  )
  useTitle('History', site.slug)
  const revert = async ({ id, subject }: Commit) => {
    try {
      const made = dataOf(await api.POST('/sites/{id}/revert', { params, body: { commit: id } }))
      commits.reload()
      if (made.changed === false) notify('There is nothing left to revert.')
      else notify(`“${subject}” is reverted.`, { label: 'Undo', run: () => void revert(made) })
    } catch (error) {
      notifyFailure(error)
    }
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
              <CommitEntry key={commit.id} site={site} commit={commit} onRevert={() => void revert(commit)} />
            ))}
          </ol>
        )}
      </AwaitList>
    </>
  )
}
