// One change in a list: who did what, and when. It opens to its details. Its actions stay in the first line.

import '../../styles/history.css'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { formatTime } from '../../format.js'
import { Menu, type MenuItem } from '../../parts/overlays/menu.js'
import { Avatar } from '../../parts/states/avatar.js'
import { formatTimeOfDay } from './days.js'
import type { Who } from './who.js'

interface ChangeRowProps {
  who: Who
  /** The rest of the sentence that begins with the name. */
  words: ComponentChildren
  /** A person's own words about it. */
  said?: string | undefined
  /** Badges behind the sentence. */
  marks?: ComponentChildren
  time: string
  menuLabel: string
  menu: readonly (MenuItem | null)[]
  /** A button before the menu. */
  action?: ComponentChildren
  /** Renders the details, once the row is opened. */
  children: () => ComponentChildren
}

export function ChangeRow({ who, words, said, marks, time, menuLabel, menu, action, children }: ChangeRowProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li class="change">
      <Avatar name={who.name} isAgent={who.kind === 'agent'} isKey={who.kind === 'key'} />
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span class="sentence">
            <strong>
              <bdi>{who.name}</bdi>
            </strong>{' '}
            {who.person !== undefined && (
              <span class="hint">
                for <bdi>{who.person}</bdi>{' '}
              </span>
            )}
            {words} {marks}
            {said !== undefined && (
              <span class="said" dir="auto">
                {said}
              </span>
            )}
          </span>
          <time class="hint" dateTime={time} title={formatTime(time)}>
            {formatTimeOfDay(time)}
          </time>
        </summary>
        {isOpen && <div class="details">{children()}</div>}
      </details>
      <div class="change-actions">
        {action}
        {menu.length > 0 && <Menu label={menuLabel} items={menu} isSmall />}
      </div>
    </li>
  )
}
