// The state of the dialog for a collection: its title and name, and its fields as rows or as JSON Schema.

import { useState } from 'preact/hooks'
import { Refusal } from '../../../api/client.js'
import { asError } from '../../../api/use-loaded.js'
import type { JsonObject } from '../fields/field.js'
import { reasonsIn } from '../fields/refused-fields.js'
import { parseSchema } from '../json-input.js'
import { nameFromTitle, withTitle } from './collection-name.js'
import { faultOf, type FieldRow, rowsOf, schemaOf } from './field-rows.js'

interface State {
  title: string
  /** Undefined while the title makes it. */
  ownName: string | undefined
  rows: readonly FieldRow[]
  /** The schema that the rows change. */
  base: JsonObject | null
  /** The JSON Schema that is shown; undefined while the rows are. */
  text: string | undefined
  nameProblem: string | undefined
  rowProblem: { at: number; problem: string } | undefined
  problem: string | undefined
}

export interface Definition {
  name: string
  schema: JsonObject | null
}

interface Start {
  title: string
  name?: string
  schema: JsonObject | null
  /** The rows of a new collection. */
  rows?: readonly FieldRow[]
}

export type SchemaEditor = ReturnType<typeof useSchemaEditor>

export function useSchemaEditor(start: Start, onSave: (definition: Definition) => Promise<void>) {
  const [state, setState] = useState<State>(() => begin(start))
  const change = (next: Partial<State>) =>
    setState((before) => ({ ...before, rowProblem: undefined, problem: undefined, ...next }))
  const name = state.ownName ?? nameFromTitle(state.title)
  const refuse = (error: unknown) => {
    if (error instanceof Refusal && error.code === 'name_taken') return change({ nameProblem: error.message })
    const details = error instanceof Refusal ? reasonsIn(error.details) : []
    const reasons = details.map(({ field, message }) => `${field} ${message}`).join('; ')
    change({ problem: `${asError(error).message} ${reasons}`.trim() })
  }
  return {
    state,
    name,
    setTitle: (title: string) => change({ title, nameProblem: undefined }),
    setName: (ownName: string) => change({ ownName, nameProblem: undefined }),
    setRows: (rows: readonly FieldRow[]) => change({ rows }),
    write: (text: string) => change({ text }),
    show: (tab: 'fields' | 'json') => {
      if (tab === 'json') {
        const rowProblem = faultOf(state.rows)
        if (rowProblem !== undefined) return change({ rowProblem })
        const schema = made(state)
        return change({ text: schema === null ? '' : JSON.stringify(schema, null, 2) })
      }
      const { schema, isWrong } = parseSchema(state.text ?? '')
      if (isWrong) return change({ problem: 'Correct the JSON first.' })
      const rows = rowsOf(schema)
      if (rows === undefined) return change({ problem: 'This schema says more than rows can show: it stays as JSON.' })
      change({ rows, base: schema, text: undefined })
    },
    save: async () => {
      const rowProblem = state.text === undefined ? faultOf(state.rows) : undefined
      if (rowProblem !== undefined) return change({ rowProblem })
      const { schema, isWrong } =
        state.text === undefined ? { schema: made(state), isWrong: false } : parseSchema(state.text)
      if (isWrong) return change({ problem: 'Correct the JSON first.' })
      try {
        await onSave({ name, schema: withTitle(schema, state.title, name) })
      } catch (error) {
        refuse(error)
      }
    },
  }
}

/** A collection without fields takes any record. */
function made({ rows, base }: State): JsonObject | null {
  return rows.length === 0 && base === null ? null : schemaOf(rows, base)
}

function begin({ title, name, schema, rows }: Start): State {
  const shown = rows ?? rowsOf(schema)
  return {
    title,
    ownName: name,
    rows: shown ?? [],
    base: schema,
    text: shown === undefined ? JSON.stringify(schema, null, 2) : undefined,
    nameProblem: undefined,
    rowProblem: undefined,
    problem: undefined,
  }
}
