// The dialog that renames a collection: its title for people, and its name for programs.

import { useState } from 'preact/hooks'
import type { Site } from '../../../api/client.js'
import { asError } from '../../../api/use-loaded.js'
import { Button } from '../../../parts/controls/button.js'
import { Field } from '../../../parts/controls/field.js'
import { Dialog } from '../../../parts/overlays/dialog.js'
import { notify } from '../../../parts/overlays/notices.js'
import type { JsonObject } from '../fields/field.js'
import { nameFromTitle, titleOfCollection, withTitle } from './collection-name.js'
import { replaceCollection, type TaggedCollection } from './save-collection.js'

interface RenameCollectionProps {
  site: Site
  tagged: TaggedCollection
  onClose: () => void
  onSaved: (saved: TaggedCollection) => void
}

export function RenameCollection({ site, tagged, onClose, onSaved }: RenameCollectionProps) {
  const { collection } = tagged
  const before = titleOfCollection(collection)
  const [title, setTitle] = useState(before)
  const [ownName, setOwnName] = useState<string | undefined>(
    collection.name === nameFromTitle(before) ? undefined : collection.name,
  )
  const [problem, setProblem] = useState<string>()
  const name = ownName ?? nameFromTitle(title)
  const save = async () => {
    try {
      const schema = withTitle(collection.schema as JsonObject | null, title, name)
      onSaved(await replaceCollection(site, tagged, { name, schema }))
      notify(`Renamed ${before} to ${title.trim()}.`)
    } catch (error) {
      setProblem(asError(error).message)
    }
  }
  return (
    <Dialog
      title={`Rename ${before}`}
      onClose={onClose}
      onSubmit={save}
      actions={
        <Button type="submit" kind="main" disabled={name === ''}>
          Rename
        </Button>
      }
    >
      <Field label="Title" value={title} onValue={setTitle} autofocus required />
      <Field
        label="Name"
        hint={
          name === collection.name
            ? 'Programs and the command line use it.'
            : `Programs that ask for “${collection.name}” by this name find it no more.`
        }
        problem={problem}
        value={name}
        onValue={(next) => {
          setOwnName(next)
          setProblem(undefined)
        }}
      />
    </Dialog>
  )
}
