// Handles PATCH of a file's content: applies edits to the text that the client read.

import type { FileData } from '../../../schemas/files.js'
import { isRulesFile } from '../../model/paths/tree-name.js'
import type { TextEdit } from '../../texts/edit-places.js'
import type { Call, Changing, SiteCall } from '../context/call.js'
import type { Conditions, DryRunInput } from '../context/input.js'
import type { Result } from '../context/result.js'
import { siteOf } from '../context/target.js'
import { editedBytes, matchRequired } from '../pages/edit-content.js'
import { baseTags, type OnConflict } from '../merging/on-conflict.js'
import { changeFile } from './change-file.js'
import { blobAt, fileNotFound, parseFilePath } from './file-data.js'
import { mergeFile, refuseLong } from './merge-file.js'
import { refuseWrongLines } from './refuse-wrong-lines.js'
import { staleFile } from './stale-file.js'

interface EditFileInput extends Conditions, DryRunInput, OnConflict {
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
export async function editFile(asked: Call<Changing>, input: EditFileInput): Promise<Result<FileData>> {
  const call = { ...asked, site: siteOf(asked) }
  const treePath = parseFilePath(input.path)
  const { ifMatch, edits } = input
  if (ifMatch === undefined) throw matchRequired()
  if (input.onConflict !== undefined) return await mergeEdits(call, treePath, input)
  const snapshot = call.store.reader.snapshot(call.site)
  const blob = blobAt(snapshot, treePath)
  if (ifMatch !== '*' && !ifMatch.includes(blob)) throw await staleFile(call, { treePath, blob, ifMatch })
  const size = snapshot.size(blob)
  const content = await editedBytes(call, { task: 'editFile', blob, size, edits })
  refuseLong(call, content.byteLength)
  if (input.force !== true && isRulesFile(treePath)) refuseWrongLines(treePath, Buffer.from(content))
  // The edits were applied to these bytes, so only they may be replaced, even if the client sent `*`.
  const operation = { kind: 'put-file', path: treePath, blob: { content }, ifAbsent: false, ifMatch: [blob] } as const
  return await changeFile(call, { input, treePath, plan: () => ({ operation, reason: input.reason }) })
}

/** Makes the edits in the bytes that the client read, and merges them with those that are there now. */
async function mergeEdits(call: SiteCall<Changing>, treePath: string, input: EditFileInput): Promise<Result<FileData>> {
  const { edits, force, reason } = input
  const tags = baseTags(input)
  const edited = async (blob: string) => {
    const size = call.store.reader.snapshot(call.site).size(blob)
    const content = Buffer.from(await editedBytes(call, { task: 'editFile', blob, size, edits }))
    refuseLong(call, content.length)
    if (force !== true && isRulesFile(treePath)) refuseWrongLines(treePath, content)
    return content
  }
  return await changeFile(call, {
    input,
    treePath,
    plan: async () => {
      const merged = await mergeFile(call, { treePath, makeBytes: edited, ifMatch: tags, force })
      if (merged?.content === undefined) throw fileNotFound(treePath)
      const { content, ifMatch, mergedWith } = merged
      const operation = { kind: 'put-file', path: treePath, blob: { content }, ifAbsent: false, ifMatch } as const
      return { operation, reason, mergedWith }
    },
  })
}
