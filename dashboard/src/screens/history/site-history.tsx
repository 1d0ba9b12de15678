// The history of a site by day, newest first: each change can be looked at, shared and taken back. The site's tags stand below.

import { useState } from 'preact/hooks'
import { wordsOfChange } from '../../../../src/model/change-words.js'
import { api, type Commit, dataOf, type Site } from '../../api/client.js'
import { useList } from '../../api/use-list.js'
import { useTitle } from '../../browser/title.js'
import { LinkButton } from '../../parts/controls/button.js'
import { nameOfSite } from '../../format.js'
import { notify, notifyFailure } from '../../parts/overlays/notices.js'
import { AwaitList } from '../../parts/states/await.js'
import { ByDay } from './by-day.js'
import { SiteChange } from './site-change.js'
import { SiteTags } from './site-tags.js'
import { TakeBack } from './take-back.js'

export function SiteHistoryScreen({ site }: { site: Site }) {
  const params = { path: { id: site.id } }
  const commits = useList<Commit>(`commits ${site.id}`, (cursor, signal) =>
    api.GET('/sites/{id}/commits', { params: { ...params, query: { limit: 50, ...cursor } }, signal }),
  )
  useTitle('History', nameOfSite(site))
  const [target, setTarget] = useState<Commit>()
  const undo = async (made: Commit) => {
    try {
      dataOf(await api.POST('/sites/{id}/revert', { params, body: { commit: made.id } }))
      commits.reload()
      notify('It is as it was before.')
    } catch (error) {
      notifyFailure(error)
    }
  }
  const takenBack = ({ message }: Commit, made: Commit) => {
    setTarget(undefined)
    commits.reload()
    if (made.changed === false) notify('There was nothing left to take back.')
    else notify(`Taken back: ${wordsOfChange(message)}.`, { label: 'Undo', run: () => void undo(made) })
  }
  return (
    <>
      <div class="bar">
        <h2 class="grow unseen">History</h2>
        <LinkButton href={`/sites/${site.slug}/history/past`} icon="history">
          Go back in time
        </LinkButton>
      </div>
      <AwaitList of={commits} moreLabel="Older changes" empty={null}>
        {(entries) => (
          <ByDay entries={entries} timeOf={({ createdAt }) => createdAt}>
            {(commit) => (
              <SiteChange key={commit.id} site={site} commit={commit} onTakeBack={() => setTarget(commit)} />
            )}
          </ByDay>
        )}
      </AwaitList>
      <SiteTags site={site} />
      {target && (
        <TakeBack
          site={site}
          commit={target}
          onClose={() => setTarget(undefined)}
          onDone={(made) => takenBack(target, made)}
        />
      )}
    </>
  )
}
