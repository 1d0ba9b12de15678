// Deletes records, in one commit where they are few enough, with an Undo. Several are deleted after a question.

import type { Site, StoredRecord } from '../../../api/client.js'
import { formatCount } from '../../../format.js'
import { Button } from '../../../parts/controls/button.js'
import { Dialog } from '../../../parts/overlays/dialog.js'
import { notify, notifyFailure } from '../../../parts/overlays/notices.js'
import { deleteRecords, undoCommits } from '../form/save-record.js'

interface AskToDeleteProps {
  /** Their names in lines. */
  names: readonly string[]
  collectionTitle: string
  onClose: () => void
  onSure: () => Promise<void>
}

const MAX_NAMES = 8

export function AskToDelete({ names, collectionTitle, onClose, onSure }: AskToDeleteProps) {
  const others = names.length - MAX_NAMES
  return (
    <Dialog
      title={`Delete ${formatCount(names.length, 'record')}?`}
      onClose={onClose}
      onSubmit={onSure}
      actions={
        <>
          <Button onClick={onClose}>Keep them</Button>
          <Button type="submit" kind="danger">
            Delete {formatCount(names.length, 'record')}
          </Button>
        </>
      }
    >
      <p>These leave {collectionTitle}. The history keeps them, and can bring them back.</p>
      <ul>
        {names.slice(0, MAX_NAMES).map((name, at) => (
          <li key={at} dir="auto">
            {name}
          </li>
        ))}
        {others > 0 && <li>and {formatCount(others, 'other')}</li>}
      </ul>
    </Dialog>
  )
}

/** `what` names the records in the notice: "Metamorphoses", or "3 records". */
export async function deleteWithUndo(
  site: Site,
  records: readonly StoredRecord[],
  { what, collectionTitle, onChanged }: { what: string; collectionTitle: string; onChanged: () => void },
): Promise<void> {
  try {
    const commits = await deleteRecords(site, records)
    const undo = async () => {
      await undoCommits(site, commits)
      notify(`Brought back ${what} to ${collectionTitle}.`)
      onChanged()
    }
    notify(`Deleted ${what} from ${collectionTitle}.`, { label: 'Undo', run: () => void undo().catch(notifyFailure) })
  } catch (error) {
    notifyFailure(error)
  }
  onChanged()
}
