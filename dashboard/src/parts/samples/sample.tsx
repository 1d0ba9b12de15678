// One part on the page of parts: its name, and the part in its states side by side.

import type { ComponentChildren } from 'preact'

export function Sample({ of, children }: { of: string; children: ComponentChildren }) {
  return (
    <section class="panel" aria-label={of}>
      <h2>{of}</h2>
      <div class="bar">{children}</div>
    </section>
  )
}
