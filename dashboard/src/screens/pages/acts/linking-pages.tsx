// The pages that link to what moves, found by a dry run, with the choice to change their links too.

import { formatCount } from '../../../format.js'
import { Disclosure } from '../../../parts/states/disclosure.js'
import type { Shown } from './page-changes.js'

const MAX_NAMED = 50

interface LinkingPagesProps {
  shown: Shown
  isRewritten: boolean
  onRewrite: (isRewritten: boolean) => void
}

export function LinkingPages({ shown: { linking }, isRewritten, onRewrite }: LinkingPagesProps) {
  if (linking.length === 0)
    return (
      <p class="hint" role="status">
        No other page links there. The old addresses lead to the new ones.
      </p>
    )
  return (
    <div role="status">
      <label>
        <input type="checkbox" checked={isRewritten} onChange={(event) => onRewrite(event.currentTarget.checked)} />{' '}
        Also change the links in {formatCount(linking.length, 'other page')}
      </label>
      <Disclosure title="Show them">
        <ul>
          {linking.slice(0, MAX_NAMED).map((path) => (
            <li key={path}>{path}</li>
          ))}
          {linking.length > MAX_NAMED && <li>and {formatCount(linking.length - MAX_NAMED, 'other')}</li>}
        </ul>
      </Disclosure>
      <p class="hint">Without it, old links still work: the old addresses lead to the new ones.</p>
    </div>
  )
}
