// The button below a list that loads its next entries.

import { Button } from '../controls/button.js'

export function Pager({ label, onMore }: { label: string; onMore: () => void }) {
  return (
    <p class="more">
      <Button onClick={onMore}>{label}</Button>
    </p>
  )
}
