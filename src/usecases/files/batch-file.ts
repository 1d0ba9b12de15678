// Files in a batch: their bytes are in the request, in the site's history, or in a deploy of the site.

import { join } from 'node:path'
import type { ChangeWarning } from '../../../schemas/pages.js'
import { takeBlob } from '../../git/streams/gather-packs.js'
import { ServiceError } from '../../model/errors.js'
import { type FileSizes, wordsOfLargePage } from '../../model/limits.js'
import { pagePathOf } from '../../model/paths/page-path.js'
import { treePathOfFile } from '../../model/paths/file-path.js'
import { isRulesFile } from '../../model/paths/tree-name.js'
import { isLfsPointer, LFS_POINTER } from '../../repository/format/lfs-pointer.js'
import type { FileOperation, NewBlob, PackToInstall } from '../../repository/protocol/write.js'
import type { AtSite, Finding, Reading } from '../context/call.js'
import { conditionOf, type Conditions } from '../context/input.js'
import type { Services } from '../context/services.js'
import { receiveFrom } from './fetched-file.js'
import { parseFilePath, parseWritablePath, refusePage } from './file-data.js'
import { refuseWrongLines, refuseWrongLinesOf } from './refuse-wrong-lines.js'

/** The bytes of a file, in exactly one of four ways. */
export interface FileBytes {
  text?: string
  base64?: string
  oid?: string
  /** The service fetches them there. */
  url?: string
  /** Accepts rules with wrong lines. */
  force?: boolean
}

/**
 * Throws `invalid_body` if no bytes are given, or several; `invalid_rules`, `blobs_missing` for an unknown oid, and `conflict` for a
 * withdrawn one.
 */
export async function putFileChange(
  call: AtSite<Finding | 'admission' | 'deploys' | 'limits' | 'privateRemotes' | 'uploads'>,
  { path, overwrite, ...bytes }: FileBytes & { path: string; overwrite?: boolean | undefined },
  condition: Conditions,
): Promise<{ change: Extract<FileOperation, { kind: 'put-file' }>; packs: PackToInstall[] }> {
  const treePath = parseWritablePath(call, path)
  const { blob, packs } = await blobOf(call, treePath, bytes)
  const refusals = { ifAbsent: false, keepsUnmatched: overwrite === false, ...conditionOf(condition) }
  return { change: { kind: 'put-file', path: treePath, blob, ...refusals }, packs }
}

/** Makes the warning for a page that is too large to be more than a file. */
export function warnOfLargePage(limits: FileSizes, path: string): ChangeWarning {
  return { code: 'page_too_large', path, message: wordsOfLargePage(limits) }
}

/** Makes the warning for a page, and for bytes in the request that are a pointer of Git LFS. */
export function warnOfFile(
  { limits }: Pick<Services, 'limits'>,
  { path, text, base64 }: FileBytes & { path: string },
): { warnings?: ChangeWarning[] } {
  const treePath = treePathOfFile(path)
  if (pagePathOf(treePath) !== undefined) return { warnings: [warnOfLargePage(limits, `/${treePath}`)] }
  const bytes = base64 === undefined ? Buffer.from(text ?? '') : Buffer.from(base64, 'base64')
  if (!isLfsPointer(bytes)) return {}
  return { warnings: [{ code: 'lfs_pointer', path: `/${treePath}`, message: LFS_POINTER }] }
}

export function deleteFileChange(path: string, condition: Conditions): Extract<FileOperation, { kind: 'delete-file' }> {
  return { kind: 'delete-file', path: parseFilePath(path), ...conditionOf(condition) }
}

async function blobOf(
  call: AtSite<Finding | 'admission' | 'deploys' | 'limits' | 'privateRemotes' | 'uploads'>,
  treePath: string,
  { text, base64, oid, url, force }: FileBytes,
): Promise<{ blob: NewBlob; packs: PackToInstall[] }> {
  if ([text, base64, oid, url].filter((given) => given !== undefined).length !== 1)
    throw new ServiceError('invalid_body', `Send the bytes of /${treePath} as text, base64, oid or url: one of them.`)
  if (url !== undefined) return await fetchedBlob(call, treePath, { url, force })
  if (oid !== undefined) {
    if (force !== true && isRulesFile(treePath)) await checkKnownRules(call, treePath, oid)
    refuseWithdrawn(call, treePath, oid)
    return await knownBlob(call, treePath, oid)
  }
  const sent = base64?.replace(/^data:[^,]{0,200};base64,/, '')
  const content = sent === undefined ? Buffer.from(text ?? '') : Buffer.from(sent, 'base64')
  if (sent !== undefined && content.toString('base64').replace(/=+$/, '') !== sent.replace(/=+$/, ''))
    throw new ServiceError('invalid_body', `The bytes of /${treePath} are not base64 (RFC 4648 §4).`)
  refusePage(call, treePath, content.length)
  if (force !== true) refuseWrongLines(treePath, content)
  return { blob: { content }, packs: [] }
}

async function fetchedBlob(
  call: AtSite<'admission' | 'limits' | 'privateRemotes' | 'uploads'>,
  treePath: string,
  { url, force }: { url: string; force: boolean | undefined },
): Promise<{ blob: NewBlob; packs: PackToInstall[] }> {
  const received = await receiveFrom(call, call.site, url)
  const { oid, content, pack, size } = received
  try {
    refusePage(call, treePath, size)
  } catch (error) {
    await call.uploads.remove(received)
    throw error
  }
  if (pack !== undefined) return { blob: { oid }, packs: [pack] }
  if (force !== true) refuseWrongLines(treePath, content)
  return { blob: { content }, packs: [] }
}

/** Reads again the rules that the site has or had. Throws `invalid_rules`, and `invalid_body` for rules that only a deploy has. */
async function checkKnownRules(call: AtSite<Reading>, treePath: string, oid: string): Promise<void> {
  if (!(await isInHistory(call, oid))) {
    const message = `Send /${treePath} as text, so that its lines are checked. With force=true they are not checked.`
    throw new ServiceError('invalid_body', message)
  }
  refuseWrongLinesOf(call.store.reader.snapshot(call.site), treePath, oid)
}

/** Keeps a client that knows only the id of withdrawn bytes from publishing them again. Throws `conflict`. */
function refuseWithdrawn({ catalog, store, site }: AtSite<'catalog' | 'store'>, treePath: string, oid: string): void {
  if (!catalog.withdrawals.has(site.id, oid) || store.reader.snapshot(site).entry(treePath)?.oid === oid) return
  throw new ServiceError(
    'conflict',
    `The bytes ${oid} are withdrawn: send them as text or base64 to publish them again.`,
  )
}

/** Whether a page or file of the site has, or had, these bytes. */
export async function isInHistory({ indexFollower, site }: AtSite<'indexFollower'>, oid: string): Promise<boolean> {
  const lacking = await indexFollower.read(site, (index) => index.files.lacking([oid]))
  return lacking.length === 0
}

async function knownBlob(
  call: AtSite<Reading | 'deploys' | 'limits' | 'uploads'>,
  treePath: string,
  oid: string,
): Promise<{ blob: NewBlob; packs: PackToInstall[] }> {
  const { site } = call
  if (await isInHistory(call, oid)) {
    refusePage(call, treePath, call.store.reader.snapshot(site).size(oid))
    return { blob: { oid }, packs: [] }
  }
  const { deploys, uploads } = call
  for (const { id, siteId, files } of deploys.list(site.workspaceId)) {
    if (siteId !== site.id || !deploys.received(id).has(oid)) continue
    refusePage(call, treePath, files.find(([, blob]) => blob === oid)?.[2])
    const pack = await takeBlob(deploys.packs(id), oid, join(uploads.folder, uploads.newName()))
    if (pack !== undefined) return { blob: { oid }, packs: [pack] }
  }
  throw new ServiceError(
    'blobs_missing',
    `The site and its deploys have no bytes ${oid}: send them as text or base64.`,
    {
      missing: [oid],
    },
  )
}
