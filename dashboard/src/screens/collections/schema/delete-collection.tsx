// The dialog that deletes a collection: it says first what is lost, and where it can be found again.

import { useState } from 'preact/hooks'
import { Refusal, type Site } from '../../../api/client.js'
import { asError } from '../../../api/use-loaded.js'
import { navigate } from '../../../browser/router.js'
import { Button } from '../../../parts/controls/button.js'
import { Dialog } from '../../../parts/overlays/dialog.js'
import { notify } from '../../../parts/overlays/notices.js'
import { Refusal as RefusalText } from '../../../parts/states/refusal.js'
import { titleOfCollection } from './collection-name.js'
import { deleteCollection, type TaggedCollection } from './save-collection.js'

interface DeleteCollectionProps {
  site: Site
  tagged: TaggedCollection
  /** How many records it has, in words. */
  records: string
  onClose: () => void
  onDeleted: () => void
}

export function DeleteCollection({ site, tagged, records, onClose, onDeleted }: DeleteCollectionProps) {
  const title = titleOfCollection(tagged.collection)
  const [problem, setProblem] = useState<string>()
  const remove = async () => {
    try {
      await deleteCollection(site, tagged)
      notify(`Deleted ${title}. The history of the site can bring it back.`, {
        label: 'Open the history',
        run: () => navigate(`/sites/${site.slug}/history`),
      })
      onDeleted()
    } catch (error) {
      const isStale = error instanceof Refusal && error.code === 'precondition_failed'
      setProblem(isStale ? `Somebody changed ${title} meanwhile. Look at it again first.` : asError(error).message)
    }
  }
  return (
    <Dialog
      title={`Delete ${title}?`}
      onClose={onClose}
      onSubmit={remove}
      actions={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button type="submit" kind="danger">
            Delete the collection
          </Button>
        </>
      }
    >
      <Lost title={title} records={records} />
      <RefusalText of={problem} />
    </Dialog>
  )
}

function Lost({ title, records }: { title: string; records: string }) {
  return (
    <p>
      {title} and {records} leave the site, and programs that read them find nothing. The history of the site keeps all
      of it: Revert brings it back.
    </p>
  )
}
