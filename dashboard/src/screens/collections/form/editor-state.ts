// The state of the record dialog, and how it begins.

import type { StoredRecord } from '../../../api/client.js'
import type { Problems } from '../fields/check.js'
import type { Field, JsonObject } from '../fields/field.js'
import type { Both } from './both-records.js'
import type { RecordDraft } from './record-draft.js'

interface Conflict {
  both: Both
  theirs: StoredRecord
  author: string
  /** The JSON Pointers of the fields at which mine is chosen. */
  mine: ReadonlySet<string>
}

export interface EditorState {
  data: JsonObject
  /** The JSON that is shown; undefined while the form is. */
  text: string | undefined
  broken: RecordDraft['broken']
  problems: Problems
  /** Reasons of the service that are about no field of the form. */
  others: readonly string[]
  conflict: Conflict | undefined
  /** Whether somebody else deleted the record. */
  isGone: boolean
  /** How often something was found to be wrong. */
  faults: number
}

/** A record that no field describes is shown as JSON. */
export function begin(data: JsonObject, fields: readonly Field[]): EditorState {
  const text = fields.length === 0 ? JSON.stringify(data, null, 2) : undefined
  return { data, text, broken: {}, problems: {}, others: [], conflict: undefined, isGone: false, faults: 0 }
}

export function unfinished(broken: RecordDraft['broken']): Problems {
  return Object.fromEntries(Object.keys(broken).map((pointer) => [pointer, 'Correct the JSON.']))
}

/** A field that a person changes is checked again when it is saved. */
export function withoutProblem(problems: Problems, pointer: string): Problems {
  const others = Object.entries(problems).filter(([at]) => at !== pointer && !at.startsWith(`${pointer}/`))
  return Object.fromEntries(others)
}
