// The frame around every screen: the header, the way past it, and the help.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { forgetAhead } from '../api/ahead.js'
import { api, dataOf, type Me } from '../api/client.js'
import { useLoaded } from '../api/use-loaded.js'
import { OpenSearch } from '../browser/open-search.js'
import { navigate } from '../browser/router.js'
import { KNOWN_SHORTCUTS, useJumps, useShortcuts } from '../browser/shortcuts.js'
import { Person } from '../parts/rights/allowed.js'
import { Await } from '../parts/states/await.js'
import { NewSignIn } from './new-sign-in.js'
import { PaletteDialog } from './palette-dialog.js'
import { askForScreen, Screen } from './screen.js'
import { TopBar } from './top-bar.js'
import { Dialog } from '../parts/overlays/dialog.js'

export function Frame({ path }: { path: string }) {
  const [isHelpShown, setHelpShown] = useState(false)
  useState(() => askForScreen(path))
  useEffect(() => forgetAhead, [path])
  const [isPaletteShown, setPaletteShown] = useState(false)
  const me = useLoaded<Me>('me', async (signal) => dataOf(await api.GET('/me', { signal })))
  const main = useFocusOnNewScreen(path)
  const search = () => setPaletteShown(true)
  useShortcuts({ '?': () => setHelpShown(true), 'mod+k': search })
  useJumps({ s: () => navigate('/'), k: () => navigate('/keys'), m: () => navigate('/members') })
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <TopBar path={path} me={me.data} onSearch={search} onHelp={() => setHelpShown(true)} />
      <main id="content" ref={main} tabIndex={-1}>
        <Await of={me}>
          {(data) => (
            <Person.Provider value={data}>
              <OpenSearch.Provider value={search}>
                {data.person !== null && <NewSignIn />}
                <Screen path={path} me={data} onMeChanged={me.reload} />
              </OpenSearch.Provider>
            </Person.Provider>
          )}
        </Await>
      </main>
      {isPaletteShown && me.data && (
        <PaletteDialog
          me={me.data}
          path={path}
          onHelp={() => setHelpShown(true)}
          onClose={() => setPaletteShown(false)}
        />
      )}
      {isHelpShown && <ShortcutHelp onClose={() => setHelpShown(false)} />}
    </>
  )
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

/** The list of keyboard shortcuts. */
function ShortcutHelp({ onClose }: { onClose: () => void }) {
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
