// The fields of a collection's records: as its schema describes them, or guessed.

import { useRef } from 'preact/hooks'
import type { Collection, StoredRecord } from '../../../api/client.js'
import type { Field } from './field.js'
import { guessFields } from './guess-fields.js'

/** Fields that nothing describes are guessed from the first records, and stay while the table is narrowed. */
export function useFields(
  { id }: Collection,
  described: readonly Field[] | undefined,
  records: readonly StoredRecord[] | undefined,
): readonly Field[] {
  const guessed = useRef<{ id: string; fields: readonly Field[] }>({ id, fields: [] })
  if (described !== undefined) return described
  const fields = guessFields((records ?? []).map(({ data }) => data))
  if (guessed.current.id !== id || fields.length > 0) guessed.current = { id, fields }
  return guessed.current.fields
}

/** The service compares what no schema describes as text. */
export function asTexts(fields: readonly Field[]): Field[] {
  return fields.map((field) => (field.shape.kind === 'group' ? field : { ...field, shape: { kind: 'text' } }))
}
