// Facts as a list of names and values.

import type { ComponentChildren } from 'preact'

export function Facts({ facts }: { facts: readonly [string, ComponentChildren][] }) {
  return (
    <dl class="fact-list">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
