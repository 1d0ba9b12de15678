// Selects the screen for an address.

import type { ComponentChildren } from 'preact'
import { api, type Me, sliceOf, type Site } from '../api/client.js'
import { useLoaded } from '../api/use-loaded.js'
import { matchPath, type Parameters } from '../browser/router.js'
import { Allowed } from '../parts/allowed.js'
import { Late } from '../parts/late.js'
import { Await, Empty, NothingHere } from '../parts/state.js'
import { CollectionsScreen } from '../screens/collections/collections.js'
import { RecordsScreen } from '../screens/collections/records.js'
import { FilesScreen } from '../screens/files/files.js'
import { PageEditorScreen } from '../screens/page/page-editor.js'
import { PageHistoryScreen } from '../screens/page/page-history.js'
import { NewPageScreen } from '../screens/pages/new-page.js'
import { PagesScreen } from '../screens/pages/pages.js'
import type { PeoplePath } from '../screens/people-screens.js'
import { RulesScreen } from '../screens/rules/rules.js'
import { ChecksScreen } from '../screens/site/checks.js'
import { SettingsScreen } from '../screens/site/settings.js'
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
  ['/files/_redirects', ({ site }) => <RulesScreen key="redirects" site={site} file="_redirects" />],
  ['/files/_headers', ({ site }) => <RulesScreen key="headers" site={site} file="_headers" />],
  ['/history', ({ site }) => <SiteHistoryScreen site={site} />],
  ['/collections', ({ site }) => <CollectionsScreen site={site} />],
  ['/collections/:id', ({ site }, { id = '' }) => <RecordsScreen key={id} site={site} collectionId={id} />],
  ['/checks', ({ site }) => <ChecksScreen site={site} />],
  ['/settings', ({ site, me, onSiteChanged }) => <SettingsScreen site={site} me={me} onChanged={onSiteChanged} />],
]

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
