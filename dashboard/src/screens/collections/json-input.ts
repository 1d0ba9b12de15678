// Parses JSON that people type into values for the API.

import { parseJson } from '../../parts/controls/json-field.js'
import { isObject, type JsonObject } from './fields/field.js'

/** Returns a record's data; undefined if the text is not a JSON object. The service checks its fields. */
export function parseRecord(text: string): JsonObject | undefined {
  const { value } = parseJson(text)
  return isObject(value) ? value : undefined
}

/** Parses a schema. An empty text means no schema. */
export function parseSchema(text: string): { schema: JsonObject | null; isWrong: boolean } {
  if (text.trim() === '') return { schema: null, isWrong: false }
  const { value } = parseJson(text)
  return isObject(value) ? { schema: value, isWrong: false } : { schema: null, isWrong: true }
}
