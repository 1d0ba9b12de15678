// Puts the bytes of a file at its path, live when the answer arrives.

import type { FileData } from '../../../schemas/files.js'
import { isRulesFile } from '../../model/paths/tree-name.js'
import { refuseSize } from '../../model/rules/rules-file.js'
import type { Operation, PackToInstall } from '../../repository/protocol/write.js'
import type { ReceivedBlob } from '../../repository/uploads/uploads.js'
import type { ByteSource } from '../../model/bytes.js'
import { conditionOf, type Conditions, type DryRunInput } from '../context/input.js'
import type { RequestContext } from '../context/request-context.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { siteOf } from '../context/target.js'
import { parseWritablePath, refusePage } from './file-data.js'
import { changeFile } from './change-file.js'
import { refuseLines, refuseWrongLines } from './refuse-wrong-lines.js'

interface PutFileInput extends Conditions, DryRunInput {
  path: string
  /** Accepts rules with wrong lines. */
  force?: boolean
  ifNoneMatch?: '*'
  bytes: ByteSource
}

/** Throws `invalid_path`, `path_conflict`, `invalid_rules`, `precondition_failed`, and the errors of receiving the bytes. */
export async function putFile(
  services: Services,
  context: RequestContext,
  input: PutFileInput,
): Promise<Result<FileData>> {
  const site = siteOf(services, context)
  const treePath = parseWritablePath(services, site, input.path)
  // A size that is unknown before the body has come is judged after it.
  const { size = Number.POSITIVE_INFINITY } = input.bytes
  refusePage(services, treePath, size)
  const received = await services.uploads.receive(input.bytes)
  try {
    refusePage(services, treePath, received.size)
    if (input.force !== true) checkRules(treePath, received)
    return await changeFile(services, context, site, {
      treePath,
      input,
      ...toPutOperation(treePath, received, input),
    })
  } finally {
    await services.uploads.remove(received)
  }
}

function toPutOperation(
  path: string,
  { oid, content, pack }: ReceivedBlob,
  input: PutFileInput,
): { operation: Operation; packs: PackToInstall[] } {
  const blob = content === undefined ? { oid } : { content }
  const ifAbsent = input.ifNoneMatch !== undefined
  return {
    operation: { kind: 'put-file', path, blob, ifAbsent, ...conditionOf(input) },
    packs: pack === undefined ? [] : [pack],
  }
}

/** Checks the lines of a rules file. Bytes that are not kept in memory are more than rules may have. */
function checkRules(treePath: string, { size, content }: ReceivedBlob): void {
  if (!isRulesFile(treePath)) return
  if (content === undefined) refuseLines(treePath, [refuseSize(size)])
  else refuseWrongLines(treePath, content)
}
