// Puts a file whose bytes are in a JSON body, or are named there by oid: for callers that cannot send a body of bytes.

import type { FileData } from '../../../schemas/files.js'
import { removePack } from '../../git/streams/pack-stream.js'
import { treePathOfFile } from '../../model/paths/file-path.js'
import type { Conditions, DryRunInput } from '../context/input.js'
import type { RequestContext } from '../context/request-context.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { siteOf } from '../context/target.js'
import { type FileBytes, putFileChange } from './batch-file.js'
import { changeFile, changeFileOnce } from './change-file.js'

type WriteFileInput = FileBytes &
  Conditions &
  DryRunInput & { path: string; overwrite?: boolean; reason?: string; siteId?: string }

/** Throws as `putFileChange` does, `path_conflict`, `precondition_failed`, and `precondition_required` if it may not overwrite. */
export async function writeFile(
  services: Services,
  context: RequestContext,
  input: WriteFileInput,
): Promise<Result<FileData>> {
  const site = siteOf(services, context, input.siteId)
  const write = async (idempotency?: string) => {
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
    const { change, packs } = await putFileChange(services, site, bytes, input)
    try {
      const notes = { reason: input.reason, idempotency, packs }
      return await changeFile(services, context, site, { operation: change, treePath: change.path, input, ...notes })
    } finally {
      for (const pack of packs) await removePack(pack.path)
    }
  }
  const treePath = treePathOfFile(input.path)
  return await changeFileOnce(services, context, site, { treePath, input }, write)
}
