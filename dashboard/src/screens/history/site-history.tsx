// The history of a site by day, newest first: each change can be looked at, shared and taken back. The site's tags stand below.

import { api, type Commit, type Site } from '../../api/client.js'
import { useList } from '../../api/use-list.js'
import { useTitle } from '../../browser/title.js'
import { nameOfSite } from '../../format.js'
import { LinkButton } from '../../parts/controls/button.js'
import { AwaitList } from '../../parts/states/await.js'
import { ByDay } from './by-day.js'
import { SiteChange } from './site-change.js'
import { SiteTags } from './site-tags.js'
import { useTakeBack } from './use-take-back.js'

export function SiteHistoryScreen({ site }: { site: Site }) {
  const params = { path: { id: site.id } }
  const commits = useList<Commit>(`commits ${site.id}`, (cursor, signal) =>
    api.GET('/sites/{id}/commits', { params: { ...params, query: { limit: 50, ...cursor } }, signal }),
  )
  useTitle('History', nameOfSite(site))
  const { takeBack, dialog } = useTakeBack(site, commits.reload)
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
            {(commit) => <SiteChange key={commit.id} site={site} commit={commit} onTakeBack={() => takeBack(commit)} />}
          </ByDay>
        )}
      </AwaitList>
      <SiteTags site={site} />
      {dialog}
    </>
  )
}
