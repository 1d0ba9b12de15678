// The header: the product, the shown site, the main screens, the search and the menu of the person.

import type { Me } from '../api/client.js'
import { SearchButton } from './search-button.js'
import { SiteSwitcher } from './site-switcher.js'
import { useWaiting } from '../screens/reviews/list/use-waiting.js'
import { UserMenu } from './user-menu.js'

interface MainLink {
  to: string
  label: string
  /** Whether these rights allow the screen. Default: all do. */
  isFor?: (me: Me) => boolean
}

const MAIN_LINKS: readonly MainLink[] = [
  { to: '/', label: 'Sites' },
  { to: '/reviews', label: 'Reviews', isFor: mayPropose },
  { to: '/keys', label: 'API keys' },
  { to: '/members', label: 'Members', isFor: isAdmin },
  { to: '/agents', label: 'Agents', isFor: ({ person }) => person !== null },
  { to: '/audit', label: 'Audit', isFor: (me) => isAdmin(me) && me.key.sites === null },
]

interface TopBarProps {
  path: string
  /** Undefined until it is loaded. */
  me: Me | undefined
  onSearch: () => void
  onHelp: () => void
}

/** The service counts so many at most. */
const MAX_WAITING = 100

export function TopBar({ path, me, onSearch, onHelp }: TopBarProps) {
  const waiting = useWaiting(me, path)
  return (
    <header class="top">
      <div class="inner">
        <a class="brand" href="/" aria-label="Palimpsest">
          <img src="/icon.svg" alt="" width="22" height="22" />
          <span>Palimpsest</span>
        </a>
        <SiteSwitcher path={path} />
        <nav aria-label="Main">
          {MAIN_LINKS.filter(({ isFor }) => isFor === undefined || (me && isFor(me))).map(({ to, label }) => (
            <a key={to} href={to} aria-current={isWithin(to, path) ? 'page' : undefined}>
              {label}
              {to === '/reviews' && waiting > 0 && (
                <span class="count">
                  {waiting < MAX_WAITING ? waiting : '99+'}
                  <span class="unseen"> waiting for you</span>
                </span>
              )}
            </a>
          ))}
        </nav>
        <SearchButton onSearch={onSearch} />
        {me && <UserMenu me={me} onHelp={onHelp} />}
      </div>
    </header>
  )
}

function isWithin(link: string, path: string): boolean {
  return path === link || (link !== '/' && path.startsWith(`${link}/`))
}

function isAdmin({ scopes }: Me): boolean {
  return scopes.includes('admin')
}

function mayPropose({ scopes }: Me): boolean {
  return scopes.includes('propose') || scopes.includes('write')
}
