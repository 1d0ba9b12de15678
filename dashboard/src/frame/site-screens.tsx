// The screens of one site, by their addresses.

import type { ComponentChildren } from 'preact'
import type { Me, Site } from '../api/client.js'
import { matchPath, type Parameters } from '../browser/router.js'
import { Allowed } from '../parts/rights/allowed.js'
import { EmptyState } from '../parts/states/empty-state.js'
import { Late } from '../parts/states/late.js'
import { askForDrafts, askForRequest } from '../screens/page/named-request.js'
import { askForOwnPage, askForPage } from '../screens/page/named-page.js'
import { askForVersions, comparedBy } from '../screens/page-history/read-versions.js'
import { NewPageScreen } from '../screens/pages/new/new-page.js'
import { PagesScreen } from '../screens/pages/pages.js'
import { askForReview } from '../screens/reviews/use-review.js'
import { SITE_PATHS, type SitePath } from './addresses.js'

interface Shown {
  site: Site
  me: Me
  /** Shows the changed site instead of the loaded one. */
  onSiteChanged: (site: Site) => void
}

export interface SiteScreen {
  show: (shown: Shown, parameters: Parameters) => ComponentChildren
  /** Asks for the code, and for what the address names, before the site is read. This browser may remember its id. */
  ahead?: (parameters: Parameters, siteId: string | null) => void
  /** Whether it has a bar of its own, and the window. */
  isWhole?: boolean
}

/** Makes screens whose code is loaded when a person first opens one of them. */
function later<Screens>(name: string, load: () => Promise<Screens>) {
  return (
    show: (screens: Screens, shown: Shown, parameters: Parameters) => ComponentChildren,
    ask?: SiteScreen['ahead'],
  ): SiteScreen => ({
    show: (shown, parameters) => (
      <Late of={name} load={load}>
        {(screens) => show(screens, shown, parameters)}
      </Late>
    ),
    ahead(parameters, siteId) {
      // The screen says that it cannot be loaded.
      load().catch(() => undefined)
      ask?.(parameters, siteId)
    },
  })
}

const further = later('further screens', async () => await import('../screens/further-screens.js'))
const editor = later('editor', async () => await import('../screens/page/page-editor.js'))

const SCREENS: Readonly<Record<SitePath, SiteScreen>> = {
  '': { show: ({ site }) => <PagesScreen site={site} /> },
  // Loaded with the frame: a person who presses n types on at once.
  '/new': {
    show: ({ site }) => (
      <Allowed to="try" otherwise={<EmptyState title="Your role here writes no pages" />}>
        <NewPageScreen site={site} />
      </Allowed>
    ),
  },
  '/pages/:page': {
    ...editor(
      ({ PageEditorScreen }, { site }, { page = '' }) => <PageEditorScreen key={page} site={site} pageId={page} />,
      ({ page = '' }, siteId) => {
        const request = new URLSearchParams(location.search).get('changeRequest') ?? undefined
        if (request !== undefined) {
          askForPage(page, request)
          askForRequest(request)
        } else if (siteId !== null) {
          askForOwnPage(siteId, page)
          askForDrafts(siteId, page)
        }
        loadCodeMirror()
      },
    ),
    isWhole: true,
  },
  '/pages/:page/history': further(
    ({ PageHistoryScreen }, { site }, { page = '' }) => <PageHistoryScreen key={page} site={site} pageId={page} />,
    ({ page = '' }) => {
      askForPage(page)
      askForVersions(page, comparedBy(new URLSearchParams(location.search)))
    },
  ),
  '/files': further(({ FilesScreen }, { site }) => <FilesScreen site={site} />),
  '/files/_redirects': further(
    ({ RulesScreen }, { site }) => <RulesScreen key="redirects" site={site} file="_redirects" />,
    loadCodeMirror,
  ),
  '/files/_headers': further(
    ({ RulesScreen }, { site }) => <RulesScreen key="headers" site={site} file="_headers" />,
    loadCodeMirror,
  ),
  '/history': further(({ SiteHistoryScreen }, { site }) => <SiteHistoryScreen site={site} />),
  '/history/past': further(({ PastScreen }, { site }) => <PastScreen site={site} />),
  '/reviews': further(({ ReviewsScreen }, { site }) => <ReviewsScreen site={site} />),
  '/reviews/:request': further(
    ({ ReviewScreen }, { site }, { request = '' }) => <ReviewScreen key={request} site={site} requestId={request} />,
    ({ request = '' }, siteId) => askForReview(request, siteId),
  ),
  '/collections': further(({ CollectionsScreen }, { site }) => <CollectionsScreen site={site} />),
  '/collections/:id': further(({ RecordsScreen }, { site }, { id = '' }) => (
    <RecordsScreen key={id} site={site} collectionId={id} />
  )),
  '/checks': further(({ ChecksScreen }, { site }) => <ChecksScreen site={site} />),
  '/settings': further(({ SettingsScreen }, { site, me, onSiteChanged }) => (
    <SettingsScreen site={site} me={me} onChanged={onSiteChanged} />
  )),
  '/settings/:part': further(({ SettingsScreen }, { site, me, onSiteChanged }, { part = '' }) => (
    <SettingsScreen key={part} site={site} me={me} part={part} onChanged={onSiteChanged} />
  )),
}

/** `below`: the path below `/sites/<slug>`. Returns undefined if it leads nowhere. */
export function siteScreenAt(below: string): { screen: SiteScreen; parameters: Parameters } | undefined {
  for (const path of SITE_PATHS) {
    const parameters = matchPath(path, below)
    if (parameters !== undefined) return { screen: SCREENS[path], parameters }
  }
  return undefined
}

function loadCodeMirror(): void {
  // The editor says that it cannot be loaded.
  import('../editor/code-mirror.js').catch(() => undefined)
}
