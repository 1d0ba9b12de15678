// Selects the screen for an address.

import type { ComponentChildren } from 'preact'
import { api, type Me, sliceOf, type Site } from '../api/client.js'
import { useLoaded } from '../api/use-loaded.js'
import { matchPath, type Parameters } from '../browser/router.js'
import { Allowed } from '../parts/rights/allowed.js'
import { Late } from '../parts/states/late.js'
import { Await } from '../parts/states/await.js'
import { EmptyState, NothingHere } from '../parts/states/empty-state.js'
import { NewPageScreen } from '../screens/pages/new/new-page.js'
import { PagesScreen } from '../screens/pages/pages.js'
import type { PeoplePath } from '../screens/people-screens.js'
import { SitesScreen } from '../screens/sites/sites.js'
import { SiteBar } from './site-bar.js'

interface Shown {
  site: Site
  me: Me
  /** Shows the changed site instead of the loaded one. */
  onSiteChanged: (site: Site) => void
}

type ShowScreen = (shown: Shown, parameters: Parameters) => ComponentChildren

const EDITOR = '/pages/:page'

/** Returns what shows a screen whose code is loaded when a person first opens it. */
function later<Screens>(name: string, load: () => Promise<Screens>) {
  return (show: (screens: Screens, shown: Shown, parameters: Parameters) => ComponentChildren): ShowScreen =>
    (shown, parameters) => (
      <Late of={name} load={load}>
        {(screens) => show(screens, shown, parameters)}
      </Late>
    )
}

const further = later('further screens', async () => await import('../screens/further-screens.js'))
const editor = later('editor', async () => await import('../screens/page/page-editor.js'))

/** Screens of one site, by their path below `/sites/<slug>`. */
const SITE_SCREENS: readonly [string, ShowScreen][] = [
  ['', ({ site }) => <PagesScreen site={site} />],
  [
    '/new',
    // Loaded with the frame: a person who presses n types on at once.
    ({ site }) => (
      <Allowed to="try" otherwise={<EmptyState title="Your role here writes no pages" />}>
        <NewPageScreen site={site} />
      </Allowed>
    ),
  ],
  [
    EDITOR,
    editor(({ PageEditorScreen }, { site }, { page = '' }) => (
      <PageEditorScreen key={page} site={site} pageId={page} />
    )),
  ],
  [
    '/pages/:page/history',
    further(({ PageHistoryScreen }, { site }, { page = '' }) => (
      <PageHistoryScreen key={page} site={site} pageId={page} />
    )),
  ],
  ['/files', further(({ FilesScreen }, { site }) => <FilesScreen site={site} />)],
  [
    '/files/_redirects',
    further(({ RulesScreen }, { site }) => <RulesScreen key="redirects" site={site} file="_redirects" />),
  ],
  [
    '/files/_headers',
    further(({ RulesScreen }, { site }) => <RulesScreen key="headers" site={site} file="_headers" />),
  ],
  ['/history', further(({ SiteHistoryScreen }, { site }) => <SiteHistoryScreen site={site} />)],
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
  [
    '/settings/:part',
    further(({ SettingsScreen }, { site, me, onSiteChanged }, { part = '' }) => (
      <SettingsScreen key={part} site={site} me={me} part={part} onChanged={onSiteChanged} />
    )),
  ],
]

/** Shows a screen whose code is loaded first. */

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
              {/* An editor has a bar of its own, and the window. */}
              {pattern !== EDITOR && <SiteBar site={data} below={below} />}
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
