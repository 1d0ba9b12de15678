// The frame around every screen, and which screen an address shows.

import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { call, type Me, signOut, type Site, whenSignedOut } from './api.js'
import { type Loaded, useLoaded } from './load.js'
import { Dialog } from './parts/dialog.js'
import { Notices, notifyFailure } from './parts/notices.js'
import { KNOWN_SHORTCUTS, useJumps, useShortcuts } from './parts/shortcuts.js'
import { Await, Empty } from './parts/state.js'
import { followLinks, matchPath, navigate, type Parameters, useAddress } from './router.js'
import { ChecksScreen } from './screens/checks.js'
import { CollectionsScreen } from './screens/collections.js'
import { KeysScreen } from './screens/keys.js'
import { NewPageScreen } from './screens/new-page.js'
import { PageEditorScreen } from './screens/page-editor.js'
import { PageHistoryScreen } from './screens/page-history.js'
import { PagesScreen } from './screens/pages.js'
import { RecordsScreen } from './screens/records.js'
import { SignInScreen } from './screens/sign-in.js'
import { SiteHistoryScreen } from './screens/site-history.js'
import { SitesScreen } from './screens/sites.js'

/** Screens of one site, below `/sites/<slug>`. */
const OF_A_SITE: readonly [string, string, (site: Site, parameters: Parameters) => ComponentChildren][] = [
  ['', 'Pages', (site) => <PagesScreen site={site} />],
  ['/new', 'New page', (site) => <NewPageScreen site={site} />],
  ['/pages/:page', 'Page', (site, { page = '' }) => <PageEditorScreen key={page} site={site} pageId={page} />],
  ['/pages/:page/history', 'History', (site, { page = '' }) => <PageHistoryScreen site={site} pageId={page} />],
  ['/history', 'Site history', (site) => <SiteHistoryScreen site={site} />],
  ['/collections', 'Collections', (site) => <CollectionsScreen site={site} />],
  ['/collections/:id', 'Records', (site, { id = '' }) => <RecordsScreen key={id} site={site} collectionId={id} />],
  ['/checks', 'Checks', (site) => <ChecksScreen site={site} />],
]

const SITE_TABS: readonly [string, string][] = [
  ['', 'Pages'],
  ['/history', 'History'],
  ['/collections', 'Collections'],
  ['/checks', 'Checks'],
]

export function App() {
  const path = useAddress().replace(/\?.*$/, '')
  const [isSignedOut, setSignedOut] = useState(false)
  useEffect(() => whenSignedOut(() => setSignedOut(true)), [])
  if (path === '/sign-in') return <SignInScreen onSignedIn={() => setSignedOut(false)} />
  return (
    <div onClick={followLinks}>
      {isSignedOut ? <SignedOut /> : <Frame path={path} />}
      <Notices />
    </div>
  )
}

function SignedOut() {
  return (
    <main class="narrow">
      <Empty title="You are not signed in" command="npm run --silent palimpsest -- login-link">
        <p>On the machine that runs the service, make a link and open it. It works once, for 15 minutes.</p>
        <p>What you wrote and did not publish is kept in this browser.</p>
      </Empty>
    </main>
  )
}

function Frame({ path }: { path: string }) {
  const [isHelpShown, setHelpShown] = useState(false)
  const me = useLoaded<Me>('me', (signal) => call<Me>('GET', '/me', { signal }))
  useShortcuts({ '?': () => setHelpShown(true) })
  useJumps({ s: () => navigate('/'), k: () => navigate('/keys') })
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="top">
        <a class="brand" href="/">
          Palimpsest
        </a>
        <nav aria-label="Main">
          <a href="/" aria-current={path === '/' ? 'page' : undefined}>
            Sites
          </a>
          <a href="/keys" aria-current={path === '/keys' ? 'page' : undefined}>
            API keys
          </a>
          <a href="/docs" target="_blank" rel="noopener">
            Reference
          </a>
        </nav>
        {me.data && <Person me={me.data} />}
        <button type="button" class="quiet" aria-label="Keyboard shortcuts" onClick={() => setHelpShown(true)}>
          ?
        </button>
      </header>
      <main id="content" tabIndex={-1}>
        <Await of={me}>{(data) => <Screen path={path} me={data} />}</Await>
      </main>
      {isHelpShown && <Help onClose={() => setHelpShown(false)} />}
    </>
  )
}

function Screen({ path, me }: { path: string; me: Me }) {
  if (path === '/') return <SitesScreen me={me} />
  if (path === '/keys') return <KeysScreen />
  const [, sites, slug = '', ...rest] = path.split('/')
  if (sites !== 'sites' || slug === '') return <NothingHere />
  const below = rest.length === 0 ? '' : `/${rest.join('/')}`
  return <OfSite slug={slug} below={below} />
}

function OfSite({ slug, below }: { slug: string; below: string }) {
  const site = useLoaded<Site | undefined>(`site ${slug}`, (signal) => findSite(slug, signal))
  return <Await of={site as Loaded<Site>}>{(found) => <SiteScreen site={found} below={below} />}</Await>
}

async function findSite(slug: string, signal: AbortSignal): Promise<Site> {
  const [site] = await call<Site[]>('GET', `/sites?slug=${encodeURIComponent(slug)}`, { signal })
  if (site === undefined) throw new Error(`There is no site "${slug}" in this workspace.`)
  return site
}

function SiteScreen({ site, below }: { site: Site; below: string }) {
  const base = `/sites/${site.slug}`
  for (const [pattern, title, show] of OF_A_SITE) {
    const parameters = matchPath(pattern, below)
    if (parameters === undefined) continue
    document.title = `${title} · ${site.slug} · Palimpsest`
    return (
      <>
        <div class="site-bar">
          <h1>{site.slug}</h1>
          <a href={site.url} target="_blank" rel="noopener noreferrer">
            {site.url.replace(/^https?:\/\//, '')} ↗
          </a>
          <nav aria-label="Site">
            {SITE_TABS.map(([to, label]) => (
              <a key={to} href={base + to} aria-current={isWithin(to, below) ? 'page' : undefined}>
                {label}
              </a>
            ))}
          </nav>
        </div>
        {show(site, parameters)}
      </>
    )
  }
  return <NothingHere />
}

function isWithin(tab: string, below: string): boolean {
  if (tab === '') return below === '' || below === '/new' || below.startsWith('/pages/')
  return below === tab || below.startsWith(`${tab}/`)
}

function NothingHere() {
  return (
    <Empty title="There is nothing at this address">
      <p>
        <a href="/">All sites</a>
      </p>
    </Empty>
  )
}

function Person({ me }: { me: Me }) {
  const leave = (everywhere: boolean) => signOut(everywhere).then(() => location.assign('/sign-in'), notifyFailure)
  return (
    <details class="menu">
      <summary>{me.key.label}</summary>
      <div class="panel">
        <p class="hint">Workspace {me.workspace.name}</p>
        <button type="button" onClick={() => void leave(false)}>
          Sign out
        </button>
        <button type="button" onClick={() => void leave(true)}>
          Sign out everywhere
        </button>
      </div>
    </details>
  )
}

function Help({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl class="shortcuts">
        {KNOWN_SHORTCUTS.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
