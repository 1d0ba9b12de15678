// The dialog that creates, changes or deletes a record.

import { useState } from 'preact/hooks'
import { type Collection, dataOf, type Site, siteApi, type StoredRecord } from '../../api/client.js'
import { Allowed } from '../../parts/allowed.js'
import { Dialog } from '../../parts/dialog.js'
import { Form } from '../../parts/form.js'
import { JsonField } from '../../parts/json-field.js'
import { notify, notifyFailure } from '../../parts/notices.js'
import { parseRecord, refusalText } from './json-input.js'

interface EditRecordProps {
  site: Site
  collection: Collection
  /** Undefined for a new record. */
  record: StoredRecord | undefined
  onClose: () => void
  onChanged: () => void
}

export function EditRecord({ site, collection, record, onClose, onChanged }: EditRecordProps) {
  const [text, setText] = useState(() => JSON.stringify(record?.data ?? {}, null, 2))
  const [refusal, setRefusal] = useState<string>()
  const data = parseRecord(text)
  const attempt = async (change: () => Promise<void>) => {
    try {
      await change()
      onChanged()
    } catch (error) {
      setRefusal(refusalText(error))
    }
  }
  const save = () =>
    attempt(async () => {
      await saveRecord(site, collection, record, data ?? {})
      notify('The record is saved.')
    })
  const remove = (target: StoredRecord) =>
    attempt(async () => {
      await deleteRecord(site, target)
      const restore = () => saveRecord(site, collection, undefined, target.data).then(onChanged, notifyFailure)
      notify('The record is deleted.', { label: 'Undo', run: () => void restore() })
    })
  const change = (next: string) => {
    setText(next)
    setRefusal(undefined)
  }
  return (
    <Dialog title={record === undefined ? 'New record' : 'Record'} onClose={onClose} wide>
      <Form onSubmit={save}>
        <JsonField label="Record" text={text} onText={change} refusal={refusal} />
        <Allowed to="write">
          <div class="bar">
            <button type="submit" class="main" disabled={data === undefined}>
              Save
            </button>
            {record && (
              <button type="button" onClick={() => void remove(record)}>
                Delete
              </button>
            )}
          </div>
        </Allowed>
      </Form>
    </Dialog>
  )
}

async function saveRecord(
  site: Site,
  { id }: Collection,
  record: StoredRecord | undefined,
  data: Record<string, unknown>,
): Promise<void> {
  const body = { data }
  if (record === undefined) {
    dataOf(await siteApi(site).POST('/collections/{id}/records', { params: { path: { id } }, body }))
    return
  }
  const params = { path: { id, recordId: record.id }, header: { 'If-Match': record.etag } }
  dataOf(await siteApi(site).PUT('/collections/{id}/records/{recordId}', { params, body }))
}

async function deleteRecord(site: Site, { id, collectionId, etag }: StoredRecord): Promise<void> {
  const params = { path: { id: collectionId, recordId: id }, header: { 'If-Match': etag } }
  dataOf(await siteApi(site).DELETE('/collections/{id}/records/{recordId}', { params }))
}
