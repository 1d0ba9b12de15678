// The way from the top to the shown screen, as links.

import { Icon } from '../icons.js'

interface BreadcrumbProps {
  trail: readonly { to: string; label: string }[]
  /** The shown screen. */
  here?: string
}

export function Breadcrumb({ trail, here }: BreadcrumbProps) {
  return (
    <nav class="breadcrumb" aria-label="Breadcrumb">
      <ol>
        {trail.map(({ to, label }, at) => (
          <li key={to}>
            {at > 0 && <Icon name="next" />}
            <a href={to}>{label}</a>
          </li>
        ))}
        {here !== undefined && (
          <li aria-current="page">
            <Icon name="next" />
            {here}
          </li>
        )}
      </ol>
    </nav>
  )
}
