// Tabs that are links: each is a screen with an address of its own.

import { Icon, type IconName } from '../icons.js'

export interface Tab {
  to: string
  label: string
  icon?: IconName
  isShown: boolean
  /** The number of things that wait there; nothing is shown for none. */
  waiting?: number
}

export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ to, label: text, icon, isShown, waiting = 0 }) => (
        <a key={to} href={to} aria-current={isShown ? 'page' : undefined}>
          {icon && <Icon name={icon} />}
          {text}
          {waiting > 0 && (
            <span class="count">
              {waiting}
              <span class="unseen"> waiting for you</span>
            </span>
          )}
        </a>
      ))}
    </nav>
  )
}
