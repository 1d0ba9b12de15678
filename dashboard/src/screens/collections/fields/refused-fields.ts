// Sorts the service's reasons why it refused a record to the fields that they name.

import { type Field, type Path, pointerOf } from './field.js'
import type { Problems } from './check.js'

interface Reason {
  field: string
  message: string
}

/** `others` are about places that the form does not show. */
interface Sorted {
  problems: Problems
  others: string[]
}

/** `details` are those of the codes `invalid_record` and `invalid_request`. */
export function sortReasons(details: unknown, fields: readonly Field[]): Sorted {
  const shown = new Set(pointersOf(fields, []))
  const problems: Record<string, string> = {}
  const others: string[] = []
  for (const { field, message } of reasonsIn(details)) {
    const pointer = field.replace(/^\/data(?=\/|$)/, '')
    const place = placeOf(pointer, shown)
    if (place !== undefined) problems[place] ??= `It ${message}.`
    else others.push(pointer === '' ? `The record ${message}.` : `${pointer.slice(1)} ${message}.`)
  }
  return { problems, others }
}

export function reasonsIn(details: unknown): Reason[] {
  if (!Array.isArray(details)) return []
  return details.filter(
    (each): each is Reason => typeof each?.field === 'string' && typeof (each as Reason).message === 'string',
  )
}

/** Returns the place that shows a problem. An entry of a list has its own; all below a field for JSON is shown there. */
function placeOf(pointer: string, shown: ReadonlySet<string>): string | undefined {
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    if (shown.has(at)) return /^\/\d+$/.test(pointer.slice(at.length)) ? pointer : at
  }
  return undefined
}

function pointersOf(fields: readonly Field[], path: Path): string[] {
  return fields.flatMap(({ name, shape }) => {
    const own = [...path, name]
    return [pointerOf(own), ...(shape.kind === 'group' ? pointersOf(shape.fields, own) : [])]
  })
}
