// Names that people choose for keys, sessions and workspaces. They are written into commits and printed on terminals. So they contain no
// control characters, and none that reorder text (Unicode UAX #9 §2.1, §2.2).

import { ServiceError } from './errors.js'

export const MAX_LABEL_CHARACTERS = 100

/** A JSON Schema pattern: at least one visible character. */
export const LABEL_PATTERN = '^(?=\\s*\\S)[^\\p{Cc}\\u2028-\\u202e\\u2066-\\u2069]*$'

const WELL_FORMED = new RegExp(LABEL_PATTERN, 'u')

/** Returns the label exactly as given. Throws `invalid_body`. `field` names it in the error: `label`. */
export function parseLabel(label: string, field = 'label'): string {
  const problem = problemOf(label)
  if (problem === undefined) return label
  throw new ServiceError('invalid_body', `The ${field} ${problem}.`, [{ field: `/${field}`, message: problem }])
}

function problemOf(label: string): string | undefined {
  if (label.trim() === '') return 'is empty'
  if (Array.from(label).length > MAX_LABEL_CHARACTERS) return `is longer than ${MAX_LABEL_CHARACTERS} characters`
  return WELL_FORMED.test(label) ? undefined : 'has control characters or characters that reorder text: leave them out'
}
