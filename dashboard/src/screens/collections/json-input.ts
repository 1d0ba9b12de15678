// What people type as JSON, as values for the API, and refusals of such values as text.

import { asError } from '../../api/use-loaded.js'
import { Refusal } from '../../api/client.js'
import { parseJson } from '../../parts/json-field.js'

type JsonObject = Record<string, unknown>

/** A record's data; undefined where the text is no JSON object. The service names what is wrong with its fields. */
export function parseRecord(text: string): JsonObject | undefined {
  const { value } = parseJson(text)
  return isObject(value) ? value : undefined
}

/** An empty text means no schema. */
export function parseSchema(text: string): { schema: JsonObject | null; isWrong: boolean } {
  if (text.trim() === '') return { schema: null, isWrong: false }
  const { value } = parseJson(text)
  return isObject(value) ? { schema: value, isWrong: false } : { schema: null, isWrong: true }
}

/** The message of a refusal and, where it names fields, each of them with its reason. */
export function refusalText(error: unknown): string {
  const { message } = asError(error)
  if (!(error instanceof Refusal) || !Array.isArray(error.details)) return message
  const fields = error.details as { field?: string; message?: string }[]
  return `${message} ${fields.map(({ field, message: reason }) => `${field} ${reason}`).join('; ')}`
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
