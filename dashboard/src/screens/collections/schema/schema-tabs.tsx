// The fields of a collection in two tabs: rows of a name and a kind, and the JSON Schema that they make.

import { JsonField } from '../../../parts/controls/json-field.js'
import { Segmented } from '../../../parts/controls/segmented.js'
import { FieldRows } from './field-rows-input.js'
import type { SchemaEditor } from './use-schema-editor.js'

export function SchemaTabs({ editor }: { editor: SchemaEditor }) {
  const { state } = editor
  const isRows = state.text === undefined
  return (
    <div class="schema">
      <Segmented
        label="Show as"
        isLabelUnseen
        value={isRows ? 'fields' : 'json'}
        from={['fields', 'json']}
        labelOf={(tab) => (tab === 'fields' ? 'Fields' : 'JSON Schema')}
        onChoose={editor.show}
      />
      {isRows ? (
        <FieldRows rows={state.rows} problem={state.rowProblem} onRows={editor.setRows} />
      ) : (
        <JsonField label="JSON Schema (empty: any record)" text={state.text ?? ''} onText={editor.write} />
      )}
      {state.problem !== undefined && (
        <p class="wrong" role="alert">
          {state.problem}
        </p>
      )}
    </div>
  )
}
