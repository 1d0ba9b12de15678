// The dialog that undoes a run of an agent, as one commit. It first says what would change, and links to a preview.

import { useState } from 'preact/hooks'
import { api, dataOf, type Site, type Undo } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { formatCount } from '../../format.js'
import { Dialog } from '../../parts/dialog.js'
import { Field } from '../../parts/field.js'
import { Form } from '../../parts/form.js'
import { notifyFailure } from '../../parts/notices.js'
import { Await } from '../../parts/state.js'
import { Outcome } from '../site/revert-commit.js'
import type { Run } from './runs.js'

/** The service undoes so many at once. */
const MAX_COMMITS = 500

interface UndoRunProps {
  site: Site
  run: Run
  onClose: () => void
  onDone: (undone: Undo) => void
}

export function UndoRun({ site, run, onClose, onDone }: UndoRunProps) {
  const commits = run.commits.slice(0, MAX_COMMITS).map(({ id }) => id)
  const path = { id: site.id }
  const tried = useLoaded<Undo>(`undo of ${commits.join(' ')}`, async (signal) =>
    dataOf(
      await api.POST('/sites/{id}/undo', { params: { path, query: { dryRun: true } }, body: { commits }, signal }),
    ),
  )
  const [reason, setReason] = useState('')
  const undo = async () => {
    try {
      const body = { commits, ...(reason !== '' && { reason }) }
      onDone(dataOf(await api.POST('/sites/{id}/undo', { params: { path }, body })))
    } catch (error) {
      notifyFailure(error)
    }
  }
  return (
    <Dialog title={`Undo ${formatCount(commits.length, 'commit')}`} onClose={onClose}>
      <Await of={tried}>
        {({ changed, dryRun }) =>
          changed && dryRun ? (
            <Form onSubmit={undo}>
              <Outcome of={dryRun} />
              <Field
                label="Reason"
                hint="Optional; shown in the history."
                value={reason}
                onValue={setReason}
                autofocus
              />
              <button type="submit" class="main">
                Undo the run
              </button>
            </Form>
          ) : (
            <p>There is nothing left to undo.</p>
          )
        }
      </Await>
    </Dialog>
  )
}
