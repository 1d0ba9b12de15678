// The acts on a change request: approve, publish, close, and open again. Those that the role forbids are not shown.

import { useContext } from 'preact/hooks'
import type { Site } from '../../api/client.js'
import { approve, changeRequest, publishRequest } from '../../api/requests.js'
import { useOneAtATime } from '../../browser/use-one-at-a-time.js'
import { Button } from '../../parts/controls/button.js'
import { notify, notifyFailure } from '../../parts/overlays/notices.js'
import { Person } from '../../parts/rights/allowed.js'
import { InviteGuest } from '../guests/invite-guest.js'
import type { Review } from './use-review.js'
import { PublishAt } from './schedule/publish-at.js'
import { isApproved, mayAct } from './words.js'

interface ReviewActsProps {
  site: Site
  review: Review
  onChanged: () => void
}

export function ReviewActs({ site, review: { request, conflicts }, onChanged }: ReviewActsProps) {
  const me = useContext(Person)
  const act = useOneAtATime(async (work: () => Promise<unknown>, done: string) => {
    try {
      await work()
      notify(done)
      onChanged()
    } catch (error) {
      notifyFailure(error)
      // Somebody else may have written to it, or ended it.
      onChanged()
    }
  })
  const { id, head, state } = request
  if (me === undefined || head === null) return null
  const isEditor = me.scopes.includes('write')
  const set = (next: 'draft' | 'review' | 'closed', done: string) =>
    void act(() => changeRequest(id, { state: next }), done)
  if (state === 'published') return null
  if (state === 'closed')
    return (
      <div class="bar review-acts">
        {(isEditor || request.mine) && (
          <Button kind="main" onClick={() => set('draft', 'The request is open again.')}>
            Open it again
          </Button>
        )}
      </div>
    )
  const may = mayAct(request, site, me)
  const isClear = conflicts.length === 0
  const isHeld = site.protection === 'all' && !isApproved(request) && !may.approve
  return (
    <div class="bar review-acts">
      {may.publish && isClear && (
        <Button kind="main" onClick={() => void act(() => publishRequest(id, { ifHead: head }), 'Published.')}>
          Publish
        </Button>
      )}
      {may.publish && isClear && me.person !== null && <PublishAt request={request} onChanged={onChanged} />}
      {may.approve && (
        <Button
          kind={may.publish ? 'plain' : 'main'}
          icon="check"
          onClick={() => void act(() => approve(id, head), 'Approved. A newer version needs another approval.')}
        >
          Approve
        </Button>
      )}
      {state === 'draft' && (isEditor || request.mine) && (
        <Button onClick={() => set('review', 'Others find it among the reviews now.')}>Ask for review</Button>
      )}
      {state === 'review' && request.mine && (
        <Button onClick={() => set('draft', 'It is a draft again.')}>Back to draft</Button>
      )}
      {(isEditor || request.mine) && <InviteGuest site={site} request={request} />}
      {(isEditor || request.mine) && (
        <Button
          kind="quiet"
          onClick={() => set('closed', 'The request is closed. It can be opened again for 90 days.')}
        >
          Close
        </Button>
      )}
      {isHeld && <p class="hint">Another person approves it first. After that it is published, now or at a time.</p>}
    </div>
  )
}
