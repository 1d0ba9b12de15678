// The frame around every screen: the header with navigation and menu, and the help.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { api, dataOf, type Me } from '../api/client.js'
import { useLoaded } from '../api/use-loaded.js'
import { navigate } from '../browser/router.js'
import { useJumps, useShortcuts } from '../browser/shortcuts.js'
import { Person } from '../parts/allowed.js'
import { Await } from '../parts/state.js'
import { NewSignIn } from './new-sign-in.js'
import { Screen } from './screen.js'
import { ShortcutHelp } from './shortcut-help.js'
import { UserMenu } from './user-menu.js'

interface MainLink {
  to: string
  label: string
  /** Whether these rights allow the screen. Default: all do. */
  isFor?: (me: Me) => boolean
}

const MAIN_LINKS: readonly MainLink[] = [
  { to: '/', label: 'Sites' },
  { to: '/keys', label: 'API keys' },
  { to: '/members', label: 'Members', isFor: isAdmin },
  { to: '/agents', label: 'Agents', isFor: ({ person }) => person !== null },
  { to: '/audit', label: 'Audit', isFor: (me) => isAdmin(me) && me.key.sites === null },
]

export function Frame({ path }: { path: string }) {
  const [isHelpShown, setHelpShown] = useState(false)
  const me = useLoaded<Me>('me', async (signal) => dataOf(await api.GET('/me', { signal })))
  const main = useFocusOnNewScreen(path)
  useShortcuts({ '?': () => setHelpShown(true) })
  useJumps({ s: () => navigate('/'), k: () => navigate('/keys'), m: () => navigate('/members') })
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="top">
        <div class="inner">
          <a class="brand" href="/" aria-label="Palimpsest">
            <img src="/icon.svg" alt="" width="20" height="20" />
            <span>Palimpsest</span>
          </a>
          <nav aria-label="Main">
            {MAIN_LINKS.filter(({ isFor }) => isFor === undefined || (me.data && isFor(me.data))).map(
              ({ to, label }) => (
                <a key={to} href={to} aria-current={isWithin(to, path) ? 'page' : undefined}>
                  {label}
                </a>
              ),
            )}
          </nav>
          {me.data && <UserMenu me={me.data} onHelp={() => setHelpShown(true)} />}
        </div>
      </header>
      <main id="content" ref={main} tabIndex={-1}>
        <Await of={me}>
          {(data) => (
            <Person.Provider value={data}>
              {data.person !== null && <NewSignIn />}
              <Screen path={path} me={data} onMeChanged={me.reload} />
            </Person.Provider>
          )}
        </Await>
      </main>
      {isHelpShown && <ShortcutHelp onClose={() => setHelpShown(false)} />}
    </>
  )
}

function isWithin(link: string, path: string): boolean {
  return path === link || (link !== '/' && path.startsWith(`${link}/`))
}

function isAdmin({ scopes }: Me): boolean {
  return scopes.includes('admin')
}

/** Moves the focus to the content when the screen changes: keyboard input continues there, and screen readers read it. */
function useFocusOnNewScreen(path: string) {
  const main = useRef<HTMLElement>(null)
  const shownPath = useRef(path)
  // Runs before the next key arrives: a person who presses n and types on at once types into the first field.
  useLayoutEffect(() => {
    if (shownPath.current === path) return
    shownPath.current = path
    // Browsers obey `autofocus` only while a document loads.
    const field = main.current?.querySelector<HTMLElement>('[autofocus]')
    const target = field ?? main.current
    target?.focus({ preventScroll: true })
  }, [path])
  return main
}
