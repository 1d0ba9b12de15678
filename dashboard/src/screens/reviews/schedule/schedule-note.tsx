// Says when a change request is published, or why it was not published at its time. The time can be taken back.

import type { ChangeRequest } from '../../../api/client.js'
import { cancelSchedule } from '../../../api/requests.js'
import { useOneAtATime } from '../../../browser/use-one-at-a-time.js'
import { Button } from '../../../parts/controls/button.js'
import { notify, notifyFailure } from '../../../parts/overlays/notices.js'
import { useMay } from '../../../parts/rights/allowed.js'
import { wordTime } from './local-time.js'

interface ScheduleNoteProps {
  request: ChangeRequest
  onChanged: () => void
}

export function ScheduleNote({ request, onChanged }: ScheduleNoteProps) {
  const { id, publishAt, scheduledBy, scheduledHead, head, heldAt, heldReason } = request
  const may = useMay()
  const cancel = useOneAtATime(async () => {
    try {
      await cancelSchedule(id)
      notify('The time is taken back. It is not published by itself.')
    } catch (error) {
      notifyFailure(error)
    }
    onChanged()
  })
  if (publishAt === null) return null
  return (
    <section class="panel schedule-note" aria-label="Time of publishing">
      {heldAt === null ? (
        <p>
          Published on <time dateTime={publishAt}>{wordTime(publishAt)}</time>
          {scheduledBy !== null && (
            <>
              , in the name of <bdi>{scheduledBy}</bdi>
            </>
          )}
          .
        </p>
      ) : (
        <p>
          <strong class="wrong">It was not published on {wordTime(publishAt)}.</strong> {heldReason}
        </p>
      )}
      {heldAt === null && head !== scheduledHead && (
        <p class="wrong">It was changed since. Set the time again, or it is not published then.</p>
      )}
      {may('write') && (
        <div class="bar">
          <Button onClick={() => void cancel()}>Take the time back</Button>
        </div>
      )}
    </section>
  )
}
