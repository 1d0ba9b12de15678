// The state of a record's form: the values, the parts whose JSON is not finished, and what is wrong.

import type { Site } from '../../../api/client.js'
import type { Problems } from '../fields/check.js'
import type { JsonObject, Path } from '../fields/field.js'

export interface RecordDraft {
  site: Site
  data: JsonObject
  problems: Problems
  /** Texts that are no JSON yet, by the JSON Pointer of their field. */
  broken: Readonly<Record<string, string>>
  /** Undefined removes the value. */
  set: (path: Path, value: unknown) => void
  /** Undefined says that the JSON of the field is valid again. */
  setBroken: (pointer: string, text: string | undefined) => void
}
