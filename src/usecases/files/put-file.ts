// Puts the bytes of a file at its path, live when the answer arrives.

import type { FileData } from '../../../schemas/files.js'
import type { MergedWith } from '../../../schemas/merging.js'
import { isRulesFile } from '../../model/paths/tree-name.js'
import { refuseSize } from '../../model/rules/rules-file.js'
import type { Operation, PackToInstall } from '../../repository/protocol/write.js'
import type { ReceivedBlob } from '../../repository/uploads/uploads.js'
import type { ByteSource } from '../../model/bytes.js'
import type { Call, Changing, SiteCall } from '../context/call.js'
import { conditionOf, type Conditions, type DryRunInput } from '../context/input.js'
import type { Result } from '../context/result.js'
import { siteOf } from '../context/target.js'
import { baseTags, type OnConflict } from '../merging/on-conflict.js'
import { parseWritablePath, refusePage } from './file-data.js'
import { changeFile } from './change-file.js'
import { mergeFileChange } from './merge-file.js'
import { refuseLines, refuseWrongLines } from './refuse-wrong-lines.js'

interface PutFileInput extends Conditions, DryRunInput, OnConflict {
  path: string
  /** Accepts rules with wrong lines. */
  force?: boolean
  ifNoneMatch?: '*'
  bytes: ByteSource
}

/** Throws `invalid_path`, `path_conflict`, `invalid_rules`, `precondition_failed`, and the errors of receiving the bytes. */
export async function putFile(asked: Call<Changing | 'uploads'>, input: PutFileInput): Promise<Result<FileData>> {
  if (input.onConflict !== undefined) baseTags(input)
  const call = { ...asked, site: siteOf(asked) }
  const treePath = parseWritablePath(call, input.path)
  // A size that is unknown before the body has come is judged after it.
  const { size = Number.POSITIVE_INFINITY } = input.bytes
  refusePage(call, treePath, size)
  const received = await call.uploads.receive(input.bytes)
  try {
    refusePage(call, treePath, received.size)
    if (input.force !== true) checkRules(treePath, received)
    return await changeFile(call, { input, treePath, plan: () => planPut(call, treePath, received, input) })
  } finally {
    await call.uploads.remove(received)
  }
}

async function planPut(
  call: SiteCall<Changing>,
  path: string,
  { oid, content, pack }: ReceivedBlob,
  input: PutFileInput,
): Promise<{ operation: Operation; packs: PackToInstall[]; mergedWith?: MergedWith }> {
  const blob = content === undefined ? { oid } : { content }
  const ifAbsent = input.ifNoneMatch !== undefined
  const packs = pack === undefined ? [] : [pack]
  const change = { kind: 'put-file', path, blob, ifAbsent, ...conditionOf(input) } as const
  if (input.onConflict === undefined) return { operation: change, packs }
  const { force } = input
  const merged = await mergeFileChange(call, { change, packs }, { ifMatch: baseTags(input), force })
  return { ...merged, operation: merged.change }
}

/** Checks the lines of a rules file. Bytes that are not kept in memory are more than rules may have. */
function checkRules(treePath: string, { size, content }: ReceivedBlob): void {
  if (!isRulesFile(treePath)) return
  if (content === undefined) refuseLines(treePath, [refuseSize(size)])
  else refuseWrongLines(treePath, content)
}
