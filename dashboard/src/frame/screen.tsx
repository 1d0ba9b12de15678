// Selects the screen for an address, and asks ahead for what it needs.

import { useLayoutEffect } from 'preact/hooks'
import { askForSites } from '../screens/sites/use-sites.js'
import type { Me, Site } from '../api/client.js'
import { forgetAhead } from '../api/ahead.js'
import { useLoaded } from '../api/use-loaded.js'
import { Late } from '../parts/states/late.js'
import { Await } from '../parts/states/await.js'
import { NothingHere } from '../parts/states/empty-state.js'
import { SitesScreen } from '../screens/sites/sites.js'
import { PEOPLE_PATHS, type PeoplePath } from './addresses.js'
import { askForSite, openSite, rememberedId, siteKey } from './find-site.js'
import { showSite } from './shown-site.js'
import { SiteBar } from './site-bar.js'
import { siteScreenAt } from './site-screens.js'

interface ScreenProps {
  path: string
  me: Me
  /** Loads the person anew. */
  onMeChanged: () => void
}

export function Screen({ path, me, onMeChanged }: ScreenProps) {
  if (path === '/') return <SitesScreen />
  if (path === '/reviews')
    return (
      <Late of="further screens" load={loadFurther}>
        {({ AllReviewsScreen }) => <AllReviewsScreen />}
      </Late>
    )
  if (isOfPeople(path))
    return (
      <Late of="screens of people" load={loadPeople}>
        {({ PeopleScreen }) => <PeopleScreen path={path} me={me} onMeChanged={onMeChanged} />}
      </Late>
    )
  const place = placeAt(path)
  if (place === undefined) return <NothingHere title="There is nothing at this address" />
  return <SiteScreen key={place.slug} me={me} {...place} />
}

/** Asks for what the address names, at the same time as for the person. */
export function askForScreen(path: string): void {
  forgetAhead()
  const place = placeAt(path)
  if (path === '/') askForSites()
  else if (path === '/reviews') {
    // The screen says that it cannot be loaded.
    loadFurther().catch(() => undefined)
  } else if (isOfPeople(path)) {
    // The screen says that it cannot be loaded.
    loadPeople().catch(() => undefined)
    const slug = new URLSearchParams(location.search).get('site')
    if (slug !== null) askForSite(slug)
  } else if (place !== undefined) {
    askForSite(place.slug)
    const found = siteScreenAt(place.below)
    found?.screen.ahead?.(found.parameters, rememberedId(place.slug))
  }
}

async function loadFurther() {
  return await import('../screens/further-screens.js')
}

async function loadPeople() {
  return await import('../screens/people-screens.js')
}

function isOfPeople(path: string): path is PeoplePath {
  return PEOPLE_PATHS.some((each) => each === path)
}

/** Returns the site that the path names, and the path below it. */
function placeAt(path: string): { slug: string; below: string } | undefined {
  const [, sites, slug = '', ...rest] = path.split('/')
  return sites === 'sites' && slug !== '' ? { slug, below: rest.map((segment) => `/${segment}`).join('') } : undefined
}

function SiteScreen({ me, slug, below }: { me: Me; slug: string; below: string }) {
  const site = useLoaded<Site | null>(siteKey(slug), (signal) => openSite(slug, signal))
  useLayoutEffect(() => {
    if (site.data != null) showSite(site.data)
  }, [site.data])
  const found = siteScreenAt(below)
  if (found === undefined) return <NothingHere title="There is nothing at this address" />
  const { screen, parameters } = found
  return (
    <Await of={site}>
      {(data) =>
        data === null ? (
          <NothingHere title={`There is no site “${slug}” in this workspace`} />
        ) : (
          <>
            {screen.isWhole !== true && <SiteBar site={data} below={below} />}
            {screen.show({ site: data, me, onSiteChanged: site.put }, parameters)}
          </>
        )
      }
    </Await>
  )
}
