// The home: what to do first where there is nothing yet, then the sites as cards, and many of them as a list.

import { useRef, useState } from 'preact/hooks'
import type { Site, Slice } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { useShortcuts } from '../../browser/shortcuts.js'
import { useTitle } from '../../browser/title.js'
import { Button } from '../../parts/controls/button.js'
import { Allowed, useMay } from '../../parts/rights/allowed.js'
import { Await } from '../../parts/states/await.js'
import { FirstSteps } from './first-steps.js'
import { glanceAt, isNew } from './glance.js'
import { ImportList } from './import-list.js'
import { NewSite } from './new-site.js'
import { SiteCard, SiteCards } from './site-cards.js'
import { SiteList } from './site-list.js'
import { useSites } from './use-sites.js'

/** From so many sites on, a list with a search. */
const LIST_FROM = 24

export function SitesScreen() {
  const [isNewShown, setNewShown] = useState(false)
  const [imports, setImports] = useState(0)
  /** Waits for the new site. */
  const waiting = useRef<(site: Site | undefined) => void>(undefined)
  const may = useMay()
  const sites = useSites()
  useShortcuts(may('make sites') ? { n: () => setNewShown(true) } : {})
  useTitle('Sites')
  // The first steps have the main button.
  const isHome = (sites.data?.entries.length ?? 0) > 1
  const makeSite = async () => {
    setNewShown(true)
    return await new Promise<Site | undefined>((made) => {
      waiting.current = made
    })
  }
  const close = (site?: Site) => {
    setNewShown(false)
    waiting.current?.(site)
    waiting.current = undefined
  }
  return (
    <>
      <div class="bar">
        <h1 class="grow">Sites</h1>
        <Allowed to="make sites">
          <Button icon="add" kind={isHome ? 'main' : 'plain'} onClick={() => setNewShown(true)}>
            New site
          </Button>
        </Allowed>
      </div>
      <ImportList key={imports} onLive={sites.reload} />
      <Await of={sites}>{(found) => <Shown sites={found} makeSite={makeSite} />}</Await>
      {isNewShown && (
        <NewSite
          onClose={() => close()}
          onImport={() => {
            close()
            setImports(imports + 1)
          }}
          {...(waiting.current && { onMade: close })}
        />
      )}
    </>
  )
}

interface ShownProps {
  sites: Slice<Site>
  makeSite: () => Promise<Site | undefined>
}

function Shown({ sites, makeSite }: ShownProps) {
  const [only, second] = sites.entries
  if (only === undefined) return <FirstSteps site={undefined} makeSite={makeSite} />
  if (second === undefined) return <OnlySite site={only} makeSite={makeSite} />
  if (sites.entries.length < LIST_FROM) return <SiteCards sites={sites.entries} />
  return <SiteList sites={sites} />
}

/** One site, below the first steps while it has no page but a start page. */
function OnlySite({ site, makeSite }: { site: Site; makeSite: () => Promise<Site | undefined> }) {
  const glance = useLoaded(`glance ${site.id}`, async (signal) => await glanceAt(site, signal))
  return (
    <Await of={glance}>
      {(data) => (
        <>
          {isNew(data) && <FirstSteps site={site} makeSite={makeSite} />}
          <ul class="cards" aria-label="Sites">
            <li class="panel card site-card">
              <SiteCard site={site} glance={data} />
            </li>
          </ul>
        </>
      )}
    </Await>
  )
}
