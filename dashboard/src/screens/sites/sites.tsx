// The sites of the workspace.

import { useState } from 'preact/hooks'
import { api, type Site } from '../../api/client.js'
import { useList } from '../../api/use-list.js'
import { useShortcuts } from '../../browser/shortcuts.js'
import { useTitle } from '../../browser/title.js'
import { Allowed, useMay } from '../../parts/allowed.js'
import { AwaitList, Empty } from '../../parts/state.js'
import { ImportList } from './import-list.js'
import { NewSite } from './new-site.js'
import { SiteCard } from './site-card.js'

export function SitesScreen() {
  const [isNewShown, setNewShown] = useState(false)
  const [imports, setImports] = useState(0)
  const may = useMay()
  const sites = useList<Site>('sites', (cursor, signal) => api.GET('/sites', { params: { query: cursor }, signal }))
  useShortcuts(may('make sites') ? { n: () => setNewShown(true) } : {})
  useTitle('Sites')
  return (
    <>
      <div class="bar">
        <h1 class="grow">Sites</h1>
        <Allowed to="make sites">
          <button type="button" class="main" onClick={() => setNewShown(true)}>
            New site
          </button>
        </Allowed>
      </div>
      <ImportList key={imports} onLive={sites.reload} />
      <AwaitList of={sites} moreLabel="More sites" empty={<NoSites />}>
        {(entries) => (
          <ul class="cards">
            {entries.map((site) => (
              <SiteCard key={site.id} site={site} />
            ))}
          </ul>
        )}
      </AwaitList>
      {isNewShown && (
        <NewSite
          onClose={() => setNewShown(false)}
          onImport={() => {
            setNewShown(false)
            setImports(imports + 1)
          }}
        />
      )}
    </>
  )
}

function NoSites() {
  return (
    <Empty title="No sites yet">
      <Allowed to="make sites" otherwise={<p>An admin of the workspace makes sites, or gives you a role for one.</p>}>
        <p>Choose “New site”, or press n.</p>
      </Allowed>
    </Empty>
  )
}
