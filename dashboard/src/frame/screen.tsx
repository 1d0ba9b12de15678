// Selects the screen for an address.

import type { ComponentChildren } from 'preact'
import { api, type Me, sliceOf, type Site } from '../api/client.js'
import { useLoaded } from '../api/use-loaded.js'
import { matchPath, type Parameters } from '../browser/router.js'
import { Allowed } from '../parts/allowed.js'
import { Late } from '../parts/late.js'
import { Await, Empty, NothingHere } from '../parts/state.js'
import { FilesScreen } from '../screens/files/files.js'
import { PageEditorScreen } from '../screens/page/page-editor.js'
import { PageHistoryScreen } from '../screens/page/page-history.js'
import { NewPageScreen } from '../screens/pages/new-page.js'
import { PagesScreen } from '../screens/pages/pages.js'
import type * as Further from '../screens/further-screens.js'
import type { PeoplePath } from '../screens/people-screens.js'
import { SiteHistoryScreen } from '../screens/site/site-history.js'
import { SitesScreen } from '../screens/sites/sites.js'
import { SiteBar } from './site-bar.js'

interface Shown {
  site: Site
  me: Me
  /** Shows the changed site instead of the loaded one. */
  onSiteChanged: (site: Site) => void
}

type ShowScreen = (shown: Shown, parameters: Parameters) => ComponentChildren

/** Screens of one site, by their path below `/sites/<slug>`. */
const SITE_SCREENS: readonly [string, ShowScreen][] = [
  ['', ({ site }) => <PagesScreen site={site} />],
  [
    '/new',
    ({ site }) => (
      <Allowed to="write" otherwise={<Empty title="Your role here publishes no pages" />}>
        <NewPageScreen site={site} />
      </Allowed>
    ),
  ],
  ['/pages/:page', ({ site }, { page = '' }) => <PageEditorScreen key={page} site={site} pageId={page} />],
  ['/pages/:page/history', ({ site }, { page = '' }) => <PageHistoryScreen key={page} site={site} pageId={page} />],
  ['/files', ({ site }) => <FilesScreen site={site} />],
  [
    '/files/_redirects',
    further(({ RulesScreen }, { site }) => <RulesScreen key="redirects" site={site} file="_redirects" />),
  ],
  [
    '/files/_headers',
    further(({ RulesScreen }, { site }) => <RulesScreen key="headers" site={site} file="_headers" />),
  ],
  ['/history', ({ site }) => <SiteHistoryScreen site={site} />],
  ['/collections', further(({ CollectionsScreen }, { site }) => <CollectionsScreen site={site} />)],
  [
    '/collections/:id',
    further(({ RecordsScreen }, { site }, { id = '' }) => <RecordsScreen key={id} site={site} collectionId={id} />),
  ],
  ['/checks', further(({ ChecksScreen }, { site }) => <ChecksScreen site={site} />)],
  [
    '/settings',
    further(({ SettingsScreen }, { site, me, onSiteChanged }) => (
      <SettingsScreen site={site} me={me} onChanged={onSiteChanged} />
    )),
  ],
]

/** Shows a screen whose code is loaded first. */
function further(
  show: (screens: typeof Further, shown: Shown, parameters: Parameters) => ComponentChildren,
): ShowScreen {
  return (shown, parameters) => (
    <Late of="further screens" load={async () => await import('../screens/further-screens.js')}>
      {(screens) => show(screens, shown, parameters)}
    </Late>
  )
}

const PEOPLE_PATHS: readonly PeoplePath[] = ['/agents', '/agents/work', '/audit', '/keys', '/members', '/profile']

interface ScreenProps {
  path: string
  me: Me
  /** Loads the person anew. */
  onMeChanged: () => void
}

export function Screen({ path, me, onMeChanged }: ScreenProps) {
  if (path === '/') return <SitesScreen />
  if (isOfPeople(path))
    return (
      <Late of="screens of people" load={async () => await import('../screens/people-screens.js')}>
        {({ PeopleScreen }) => <PeopleScreen path={path} me={me} onMeChanged={onMeChanged} />}
      </Late>
    )
  const [, sites, slug = '', ...rest] = path.split('/')
  if (sites !== 'sites' || slug === '') return <NothingHere title="There is nothing at this address" />
  return <SiteScreen key={slug} me={me} slug={slug} below={rest.map((segment) => `/${segment}`).join('')} />
}

function isOfPeople(path: string): path is PeoplePath {
  return PEOPLE_PATHS.some((each) => each === path)
}

function SiteScreen({ me, slug, below }: { me: Me; slug: string; below: string }) {
  const site = useLoaded<Site | null>(`site ${slug}`, async (signal) => await findSite(slug, signal))
  for (const [pattern, show] of SITE_SCREENS) {
    const parameters = matchPath(pattern, below)
    if (parameters === undefined) continue
    return (
      <Await of={site}>
        {(data) =>
          data === null ? (
            <NothingHere title={`There is no site “${slug}” in this workspace`} />
          ) : (
            <>
              <SiteBar site={data} below={below} />
              {show({ site: data, me, onSiteChanged: site.put }, parameters)}
            </>
          )
        }
      </Await>
    )
  }
  return <NothingHere title="There is nothing at this address" />
}

async function findSite(slug: string, signal: AbortSignal): Promise<Site | null> {
  const { entries } = sliceOf(await api.GET('/sites', { params: { query: { slug } }, signal }))
  const [site = null] = entries
  return site
}
