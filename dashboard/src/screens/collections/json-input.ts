// Parses JSON that people type into values for the API, and turns refusals of such values into text.

import { asError } from '../../api/use-loaded.js'
import { Refusal } from '../../api/client.js'
import { parseJson } from '../../parts/json-field.js'

type JsonObject = Record<string, unknown>

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

/** Returns the message of a refusal, with each field that it names and the reason. */
export function refusalText(error: unknown): string {
  const { message } = asError(error)
  if (!(error instanceof Refusal) || !Array.isArray(error.details)) return message
  const fields = error.details as { field?: string; message?: string }[]
  return `${message} ${fields.map(({ field, message: reason }) => `${field} ${reason}`).join('; ')}`
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
