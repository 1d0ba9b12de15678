// Handles PATCH of a file's content: applies edits to the text that the client read.

import type { FileData } from '../../../schemas/files.js'
import { ServiceError } from '../../model/errors.js'
import { isRulesFile } from '../../model/paths/tree-name.js'
import type { TextEdit } from '../../texts/edit-places.js'
import type { Conditions, DryRunInput } from '../context/input.js'
import type { RequestContext } from '../context/request-context.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { siteOf } from '../context/target.js'
import { editedBytes, matchRequired } from '../pages/edit-content.js'
import { changeFile } from './change-file.js'
import { blobAt, parseFilePath } from './file-data.js'
import { refuseWrongLines } from './refuse-wrong-lines.js'
import { staleFile } from './stale-file.js'

interface EditFileInput extends Conditions, DryRunInput {
  path: string
  edits: readonly TextEdit[]
  /** Accepts rules with wrong lines. */
  force?: boolean
  reason?: string
}

/**
 * Applies all edits or none, to the bytes that `ifMatch` names. Throws `precondition_required` without one, `not_text`,
 * `edit_not_applicable`, `invalid_rules`, `file_not_found`.
 */
export async function editFile(
  services: Services,
  context: RequestContext,
  input: EditFileInput,
): Promise<Result<FileData>> {
  const site = siteOf(services, context)
  const treePath = parseFilePath(input.path)
  const { ifMatch, edits } = input
  if (ifMatch === undefined) throw matchRequired()
  const snapshot = services.store.snapshot(site)
  const blob = blobAt(snapshot, treePath)
  if (ifMatch !== '*' && !ifMatch.includes(blob)) throw await staleFile(services, site, { treePath, blob, ifMatch })
  const size = snapshot.size(blob)
  const content = await editedBytes(services, context, site, { task: 'editFile', blob, size, edits })
  refuseLong(content, services)
  if (input.force !== true && isRulesFile(treePath)) refuseWrongLines(treePath, Buffer.from(content))
  // The edits were applied to these bytes, so only they may be replaced, even if the client sent `*`.
  const operation = { kind: 'put-file', path: treePath, blob: { content }, ifAbsent: false, ifMatch: [blob] } as const
  return await changeFile(services, context, site, { operation, treePath, input, reason: input.reason })
}

function refuseLong({ byteLength }: Uint8Array, { limits }: Services): void {
  if (byteLength <= limits.maxFileBytes) return
  throw new ServiceError(
    'payload_too_large',
    `The edited file has ${byteLength} bytes: the limit is ${limits.maxFileBytes}.`,
    { limit: limits.maxFileBytes },
  )
}
