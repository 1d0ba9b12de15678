// The dialog that creates or changes a record: by form, or as JSON in its second tab.

import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../../../parts/controls/button.js'
import { JsonField } from '../../../parts/controls/json-field.js'
import { Segmented } from '../../../parts/controls/segmented.js'
import { Dialog } from '../../../parts/overlays/dialog.js'
import { useMay } from '../../../parts/rights/allowed.js'
import { problemsOf } from '../fields/check.js'
import { type Field, type JsonObject, wordsOf } from '../fields/field.js'
import { titleOf } from '../fields/record-title.js'
import { titleOfCollection } from '../schema/collection-name.js'
import { BothValues } from './both-values.js'
import { FieldInput } from './field-input.js'
import { type EditRecordProps, useRecordEditor } from './use-record-editor.js'

type Editor = ReturnType<typeof useRecordEditor>

export function EditRecord(props: EditRecordProps) {
  const { collection, fields, edited } = props
  const editor = useRecordEditor(props)
  const { state } = editor
  const mayWrite = useMay()('write')
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), [state.faults])
  const title = edited.record ? titleOf(edited.record.data, fields) : `New in ${titleOfCollection(collection)}`
  const verb = state.isGone ? 'Save as a new record' : edited.record ? 'Save' : 'Add'
  return (
    <Dialog
      title={title}
      onClose={mayWrite ? editor.close : props.onClose}
      onSubmit={editor.save}
      wide
      actions={
        mayWrite ? (
          <Button type="submit" kind="main" disabled={editor.data === undefined}>
            {verb}
          </Button>
        ) : undefined
      }
    >
      <div ref={box} class="record">
        {state.isGone && (
          <p class="wrong" role="alert">
            Somebody deleted this record meanwhile. Your text is kept here.
          </p>
        )}
        {state.conflict ? (
          <BothValues {...state.conflict} fields={fields} onChoose={editor.choose} />
        ) : (
          <Tabs editor={editor} fields={fields} isFixed={!mayWrite} />
        )}
      </div>
    </Dialog>
  )
}

interface TabsProps {
  editor: Editor
  fields: readonly Field[]
  isFixed: boolean
}

function Tabs({ editor, fields, isFixed }: TabsProps) {
  const { state, draft, data } = editor
  const isForm = state.text === undefined
  return (
    <>
      {fields.length > 0 && (
        <Segmented
          label="Show as"
          isLabelUnseen
          value={isForm ? 'form' : 'json'}
          from={['form', 'json']}
          labelOf={(tab) => (tab === 'form' ? 'Form' : 'JSON')}
          onChoose={editor.show}
        />
      )}
      {state.others.length > 0 && (
        <div class="wrong" role="alert">
          {state.others.map((reason) => (
            <p key={reason}>{reason}</p>
          ))}
        </div>
      )}
      {isForm ? (
        <fieldset class="fields" disabled={isFixed}>
          <legend class="unseen">Fields</legend>
          {fields.map((field) => (
            <FieldInput key={field.name} draft={draft} field={field} path={[field.name]} />
          ))}
          <Others data={state.data} fields={fields} />
        </fieldset>
      ) : (
        <JsonField
          label="Record"
          text={state.text ?? ''}
          onText={editor.write}
          refusal={refusalIn(editor, fields, data)}
        />
      )}
    </>
  )
}

/** Names what the record has beyond the fields of the form. It is kept. */
function Others({ data, fields }: { data: JsonObject; fields: readonly Field[] }) {
  const names = Object.keys(data).filter((name) => !fields.some((field) => field.name === name))
  if (names.length === 0) return null
  return <p class="hint">Also in this record, and kept: {names.map(wordsOf).join(', ')}. The JSON shows it.</p>
}

/** Says in words what the service, or the browser before it, finds wrong with the JSON. */
function refusalIn({ state }: Editor, fields: readonly Field[], data: JsonObject | undefined): string | undefined {
  if (data === undefined) return undefined
  const problems = { ...problemsOf(fields, data), ...state.problems }
  const lines = Object.entries(problems).map(([pointer, problem]) => `${pointer.slice(1)}: ${problem}`)
  return lines.length === 0 ? undefined : lines.join(' ')
}
