// The latest changes of a site, on its start screen: open if others changed something since this browser was here last.

import '../../styles/history.css'
import { useContext, useEffect, useState } from 'preact/hooks'
import { api, type Commit, type Site } from '../../api/client.js'
import { useList } from '../../api/use-list.js'
import { Person } from '../../parts/rights/allowed.js'
import { Age } from '../../parts/states/age.js'
import { Disclosure } from '../../parts/states/disclosure.js'
import { ByDay } from '../history/by-day.js'
import { SiteChange } from '../history/site-change.js'
import { useTakeBack } from '../history/use-take-back.js'
import { whoMade } from '../history/who.js'

const MAX_SHOWN = 5

interface LatestProps {
  site: Site
  /** After a change of the site. */
  onChanged: () => void
}

export function Latest({ site, onChanged }: LatestProps) {
  const me = useContext(Person)
  const commits = useList<Commit>(`latest ${site.id}`, (cursor, signal) =>
    api.GET('/sites/{id}/commits', {
      params: { path: { id: site.id }, query: { limit: MAX_SHOWN, ...cursor } },
      signal,
    }),
  )
  const { takeBack, dialog } = useTakeBack(site, () => {
    commits.reload()
    onChanged()
  })
  const [seen] = useState(() => localStorage.getItem(`seen ${site.id}`))
  const entries = commits.data?.entries ?? []
  const [newest] = entries
  useEffect(() => {
    if (newest !== undefined) localStorage.setItem(`seen ${site.id}`, newest.id)
  }, [newest?.id])
  // The commit that made the site is no change of anybody.
  if (newest === undefined || newest.parent === null) return null
  const isNews = seen !== null && seen !== newest.id && newest.author !== me?.key.label
  return (
    <>
      <Disclosure
        class="latest"
        isOpen={isNews}
        title={
          <>
            Latest changes{' '}
            <span class="hint">
              the newest by <bdi>{whoMade(newest).name}</bdi>, <Age of={newest.createdAt} />
            </span>
          </>
        }
      >
        <ByDay entries={entries} timeOf={({ createdAt }) => createdAt}>
          {(commit) => (
            <SiteChange key={commit.id} site={site} commit={commit} onTakeBack={() => takeBack(commit)} isUndoShown />
          )}
        </ByDay>
        <p>
          <a href={`/sites/${site.slug}/history`}>All changes</a>
        </p>
      </Disclosure>
      {dialog}
    </>
  )
}
