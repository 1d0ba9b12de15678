// The menu of the signed-in person.

import type { Me } from '../api/client.js'
import { leave } from '../api/session.js'
import { Menu, type MenuItem } from '../parts/overlays/menu.js'
import { Avatar } from '../parts/states/avatar.js'

export function UserMenu({ me, onHelp }: { me: Me; onHelp: () => void }) {
  const name = me.key.label
  return (
    <Menu
      class="user-menu"
      label={`Menu of ${name}`}
      button={
        <>
          <Avatar name={name} />
          <span class="user-name" title={name}>
            {name}
          </span>
        </>
      }
      note={`Workspace ${me.workspace.name}`}
      items={itemsFor(me, onHelp)}
    />
  )
}

function itemsFor({ person }: Me, onHelp: () => void): readonly (MenuItem | null)[] {
  const profile: readonly MenuItem[] =
    person === null ? [] : [{ label: 'My profile', icon: 'person', href: '/profile' }]
  return [
    ...profile,
    { label: 'API reference', icon: 'open', href: '/docs', isNewTab: true },
    { label: 'Keyboard shortcuts', icon: 'info', run: onHelp },
    null,
    { label: 'Sign out', icon: 'leave', run: () => leave(false) },
    { label: 'Sign out everywhere', icon: 'leave', run: () => leave(true) },
  ]
}
