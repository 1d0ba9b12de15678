// Checks records against their collections' schemas, as tasks.

import { ServiceError } from '../../model/errors.js'
import type { RecordFaults } from '../../tasks/record-schemas/check-record.js'
import { idleFault } from '../../tasks/record-schemas/idle-schema.js'
import { checkSchemaShape, type FieldError, invalidSchema } from '../../tasks/record-schemas/record-schema.js'
import type { Tasks } from '../../tasks/tasks.js'

/** Throws `invalid_schema` unless records can be checked against the schema: tests every bound, the meta-schema, references, patterns. */
export async function checkSchema(tasks: Tasks, workspaceId: string, schema: unknown): Promise<void> {
  checkSchemaShape(schema)
  const fault = idleFault(schema)
  if (fault !== undefined) throw invalidSchema([fault])
  const question = { definition: null, schema, json: undefined }
  faultsOf(
    await tasks.run('checkRecord', question, { workspaceId }).catch((error: unknown) => {
      if (isTooCostly(error)) throw invalidSchema([{ field: '', message: 'takes too long to read: simplify it' }])
      throw error
    }),
  )
}

export interface StoredRecord {
  /** The oid of the definition: the same oid must never name another schema. */
  definition: string
  schema: object
  json: string
}

/**
 * Returns the faults of the record, at most 20 fields; none for a valid record. Throws `invalid_schema` (a schema pushed unchecked),
 * `invalid_record` when the check takes too long, `queue_full` when too many tasks of the workspace wait.
 */
export async function recordFaults(tasks: Tasks, workspaceId: string, record: StoredRecord): Promise<FieldError[]> {
  checkSchemaShape(record.schema)
  return faultsOf(
    await tasks.run('checkRecord', record, { workspaceId }).catch((error: unknown) => {
      if (!isTooCostly(error)) throw error
      const message =
        "Checking this record against its collection's schema takes too long: simplify the schema or shorten the record."
      throw new ServiceError('invalid_record', message)
    }),
  )
}

function isTooCostly(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'too_costly'
}

function faultsOf(faults: RecordFaults): FieldError[] {
  if ('schemaErrors' in faults) throw invalidSchema(faults.schemaErrors)
  return faults.recordErrors
}
