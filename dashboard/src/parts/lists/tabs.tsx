// Tabs that are links: each is a screen with an address of its own.

import { Icon, type IconName } from '../icons.js'

export interface Tab {
  to: string
  label: string
  icon?: IconName
  isShown: boolean
}

export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ to, label: text, icon, isShown }) => (
        <a key={to} href={to} aria-current={isShown ? 'page' : undefined}>
          {icon && <Icon name={icon} />}
          {text}
        </a>
      ))}
    </nav>
  )
}
