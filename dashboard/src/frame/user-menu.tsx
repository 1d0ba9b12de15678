// The menu of the signed-in person. Escape, a click outside and a choice close it.

import { useEffect, useRef } from 'preact/hooks'
import type { Me } from '../api/client.js'
import { signOut } from '../api/session.js'
import { notifyFailure } from '../parts/notices.js'

export function UserMenu({ me, onHelp }: { me: Me; onHelp: () => void }) {
  const menu = useClosingMenu()
  const leave = (isEverywhere: boolean) => void signOut(isEverywhere).then((url) => location.assign(url), notifyFailure)
  return (
    <details class="menu" ref={menu}>
      <summary>{me.key.label}</summary>
      <div class="panel">
        <p class="hint">Workspace {me.workspace.name}</p>
        {me.person !== null && (
          <a class="button" href="/profile">
            My profile
          </a>
        )}
        <a class="button" href="/docs" target="_blank" rel="noopener">
          API reference ↗
        </a>
        <button type="button" onClick={onHelp}>
          Keyboard shortcuts
        </button>
        <button type="button" onClick={() => leave(false)}>
          Sign out
        </button>
        <button type="button" onClick={() => leave(true)}>
          Sign out everywhere
        </button>
      </div>
    </details>
  )
}

function useClosingMenu() {
  const menu = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || menu.current?.open !== true) return
      menu.current.open = false
      menu.current.querySelector('summary')?.focus()
    }
    const onClick = (event: MouseEvent) => {
      const isInSummary = (event.target as Element).closest('summary')?.parentElement === menu.current
      if (menu.current !== null && !isInSummary) menu.current.open = false
    }
    addEventListener('keydown', onKey)
    addEventListener('click', onClick)
    return () => {
      removeEventListener('keydown', onKey)
      removeEventListener('click', onClick)
    }
  }, [])
  return menu
}
