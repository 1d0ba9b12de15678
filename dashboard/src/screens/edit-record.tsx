// One record, or the schema of a collection, as JSON.

import { useState } from 'preact/hooks'
import { call, type Collection, type Site, type StoredRecord } from '../api.js'
import { asApiError } from '../load.js'
import { Dialog } from '../parts/dialog.js'
import { JsonField, readJson } from '../parts/json-field.js'
import { notify, notifyFailure } from '../parts/notices.js'

interface EditRecordProps {
  site: Site
  path: string
  record: StoredRecord | undefined
  onClose: () => void
  onSaved: () => void
}

export function EditRecord({ site, path, record, onClose, onSaved }: EditRecordProps) {
  const [text, setText] = useState(() => JSON.stringify(record?.data ?? {}, null, 2))
  const [refusal, setRefusal] = useState<string>()
  const { value, problem } = readJson(text)
  const save = async () => {
    try {
      if (record === undefined) await call('POST', path, { site: site.id, body: { data: value } })
      else await call('PUT', `${path}/${record.id}`, { site: site.id, ifMatch: record.etag, body: { data: value } })
      notify('The record is saved.')
      onSaved()
    } catch (error) {
      setRefusal(wordsOf(asApiError(error)))
    }
  }
  const remove = async (gone: StoredRecord) => {
    try {
      await call('DELETE', `${path}/${gone.id}`, { site: site.id, ifMatch: gone.etag })
      const again = () => call('POST', path, { site: site.id, body: { data: gone.data } }).then(onSaved, notifyFailure)
      notify('The record is deleted.', { label: 'Undo', run: () => void again() })
      onSaved()
    } catch (error) {
      setRefusal(asApiError(error).message)
    }
  }
  return (
    <Dialog title={record === undefined ? 'New record' : 'Record'} onClose={onClose} wide>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <JsonField
          label="Record"
          text={text}
          onText={(next) => {
            setText(next)
            setRefusal(undefined)
          }}
          refusal={refusal}
        />
        <div class="bar">
          <button type="submit" class="main" disabled={problem !== undefined}>
            Save
          </button>
          {record && (
            <button type="button" onClick={() => void remove(record)}>
              Delete
            </button>
          )}
        </div>
      </form>
    </Dialog>
  )
}

interface EditSchemaProps {
  site: Site
  collection: Collection
  onClose: () => void
  onSaved: (collection: Collection) => void
}

export function EditSchema({ site, collection, onClose, onSaved }: EditSchemaProps) {
  const [text, setText] = useState(() => (collection.schema === null ? '' : JSON.stringify(collection.schema, null, 2)))
  const [refusal, setRefusal] = useState<string>()
  const read = text.trim() === '' ? { value: null } : readJson(text)
  const save = async () => {
    try {
      const body = { name: collection.name, schema: read.value }
      onSaved(await call<Collection>('PUT', `/collections/${collection.id}`, { site: site.id, body }))
      notify('The schema is saved.')
    } catch (error) {
      setRefusal(wordsOf(asApiError(error)))
    }
  }
  return (
    <Dialog title={`Schema of ${collection.name}`} onClose={onClose} wide>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <JsonField label="JSON Schema (empty: any record)" text={text} onText={setText} refusal={refusal} />
        <button type="submit" class="main" disabled={'problem' in read}>
          Save
        </button>
      </form>
    </Dialog>
  )
}

/** A refusal with the fields that it is about. */
function wordsOf({ message, details }: { message: string; details: unknown }): string {
  if (!Array.isArray(details)) return message
  const fields = (details as { field?: string; message?: string }[]).map(({ field, message: why }) => `${field} ${why}`)
  return `${message} ${fields.join('; ')}`
}
