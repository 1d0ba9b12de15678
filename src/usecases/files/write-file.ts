// Puts a file whose bytes are in a JSON body, or are named there by oid: for callers that cannot send a body of bytes.

import type { FileData } from '../../../schemas/files.js'
import { removePack } from '../../git/streams/pack-stream.js'
import { treePathOfFile } from '../../model/paths/file-path.js'
import type { Call, Changing } from '../context/call.js'
import type { Conditions, DryRunInput } from '../context/input.js'
import type { Result } from '../context/result.js'
import { siteOf } from '../context/target.js'
import { type FileBytes, putFileChange } from './batch-file.js'
import { baseTags, type OnConflict } from '../merging/on-conflict.js'
import { changeFile } from './change-file.js'
import { mergeFileChange } from './merge-file.js'

type WriteFileInput = FileBytes &
  Conditions &
  DryRunInput &
  OnConflict & { path: string; overwrite?: boolean; reason?: string; siteId?: string }

/** Throws as `putFileChange` does, `path_conflict`, `precondition_failed`, and `precondition_required` if it may not overwrite. */
export async function writeFile(
  asked: Call<Changing | 'admission' | 'deploys' | 'privateRemotes' | 'uploads'>,
  input: WriteFileInput,
): Promise<Result<FileData>> {
  const call = { ...asked, site: siteOf(asked, input.siteId) }
  const tags = input.onConflict && baseTags(input)
  const { path, overwrite, text, base64, oid, url, force } = input
  const bytes = {
    path,
    overwrite,
    ...(text !== undefined && { text }),
    ...(base64 !== undefined && { base64 }),
    ...(oid && { oid }),
    ...(url && { url }),
    ...(force && { force }),
  }
  return await changeFile(call, {
    input,
    treePath: treePathOfFile(path),
    plan: async () => {
      const planned = await putFileChange(call, bytes, input)
      const merged = tags && (await mergeFileChange(call, planned, { ifMatch: tags, force }))
      const { change, packs } = merged ?? planned
      return { operation: change, packs, reason: input.reason, mergedWith: merged?.mergedWith }
    },
    isRepeatable: true,
    release: async ({ packs }) => {
      for (const pack of packs) await removePack(pack.path)
    },
  })
}
