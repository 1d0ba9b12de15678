// Where the live site was changed in the same places since. For each path the person takes this change, or what is live.

import { useState } from 'preact/hooks'
import { updateRequest } from '../../api/requests.js'
import { useOneAtATime } from '../../browser/use-one-at-a-time.js'
import { Button } from '../../parts/controls/button.js'
import { Segmented } from '../../parts/controls/segmented.js'
import { notify, notifyFailure } from '../../parts/overlays/notices.js'
import { Allowed } from '../../parts/rights/allowed.js'
import { Disclosure } from '../../parts/states/disclosure.js'
import type { Review } from './use-review.js'

const SIDES = ['this', 'live'] as const
type Side = (typeof SIDES)[number]
const SIDE_WORDS: Readonly<Record<Side, string>> = { this: 'This change', live: 'What is live' }

interface ConflictsProps {
  review: Review
  onChanged: () => void
}

export function Conflicts({ review: { request, conflicts }, onChanged }: ConflictsProps) {
  const [sides, setSides] = useState<Readonly<Record<string, Side>>>({})
  const settle = useOneAtATime(async () => {
    const pathsOf = (side: Side) => conflicts.map(({ path }) => path).filter((path) => (sides[path] ?? 'this') === side)
    try {
      const { conflicts: left } = await updateRequest(request.id, { ours: pathsOf('this'), theirs: pathsOf('live') })
      notify(left.length === 0 ? 'It is up to date with what is live.' : 'More was changed meanwhile: choose again.')
      onChanged()
    } catch (error) {
      notifyFailure(error)
    }
  })
  if (conflicts.length === 0 || request.closedAt !== null) return null
  return (
    <section class="review-part" aria-label="Conflicts">
      <h3>Changed on the live site too</h3>
      <p>Choose for each what stays. It can be published after that. A new version needs new approvals.</p>
      {conflicts.map(({ path, hunks, reason }) => (
        <div key={path} class="panel">
          <div class="bar">
            <code class="grow">{path}</code>
            <Allowed to="try">
              <Segmented
                label={`What stays of ${path}`}
                isLabelUnseen
                value={sides[path] ?? 'this'}
                from={SIDES}
                labelOf={(side) => SIDE_WORDS[side]}
                onChoose={(side) => setSides({ ...sides, [path]: side })}
              />
            </Allowed>
          </div>
          {reason === 'changed' ? (
            <Disclosure title="Both texts">
              <pre class="both" tabIndex={0} role="region" aria-label={`Both texts of ${path}`}>
                {hunks}
              </pre>
            </Disclosure>
          ) : (
            <p class="hint">{hunks}</p>
          )}
        </div>
      ))}
      <Allowed to="try">
        <Button onClick={() => void settle()}>Bring it up to date</Button>
      </Allowed>
    </section>
  )
}
