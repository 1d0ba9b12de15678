// The latest changes of a site, on its start screen: open if others changed something since this browser was here last.

import { useContext, useEffect, useState } from 'preact/hooks'
import { api, type Commit, type Site } from '../../api/client.js'
import { useList } from '../../api/use-list.js'
import { keep, readKept } from '../../browser/storage.js'
import { Person } from '../../parts/rights/allowed.js'
import { Age } from '../../parts/states/age.js'
import { Late } from '../../parts/states/late.js'
import { Disclosure } from '../../parts/states/disclosure.js'
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
  const [seen] = useState(() => readKept(`seen ${site.id}`))
  const [opened, setOpened] = useState<boolean>()
  const entries = commits.data?.entries ?? []
  const [newest] = entries
  useEffect(() => {
    if (newest !== undefined) keep(`seen ${site.id}`, newest.id)
  }, [newest?.id])
  // The line is there from the beginning, so that nothing moves once it is known.
  const isNews = newest !== undefined && seen !== null && seen !== newest.id && newest.author !== me?.key.label
  const isOpen = opened ?? isNews
  return (
    <>
      <Disclosure
        class="latest"
        isOpen={isOpen}
        onToggle={setOpened}
        title={
          <>
            Latest changes{' '}
            {newest !== undefined && (
              <span class="hint">
                the newest by <bdi>{whoMade(newest).name}</bdi>, <Age of={newest.createdAt} />
              </span>
            )}
          </>
        }
      >
        {isOpen && (
          <Late of="changes of a site" load={async () => await import('./latest-changes.js')}>
            {({ LatestChanges }) => (
              <LatestChanges
                site={site}
                commits={entries}
                onChanged={() => {
                  commits.reload()
                  onChanged()
                }}
              />
            )}
          </Late>
        )}
        <p>
          <a href={`/sites/${site.slug}/history`}>All changes</a>
        </p>
      </Disclosure>
    </>
  )
}
