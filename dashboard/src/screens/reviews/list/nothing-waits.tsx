// Says that no change request waits for the person.

import { EmptyState } from '../../../parts/states/empty-state.js'

export function NothingWaits() {
  return (
    <EmptyState title="Nothing waits for you" icon="check">
      <p>What people and agents ask you to look at is listed here.</p>
    </EmptyState>
  )
}
