// Publishes many files as one commit: asks which bytes the service lacks, sends these, and publishes. The next run with the same files
// resumes a run that was broken off.

import type { ApiClient, DataOf } from './api-client.js'
import { bytesBody, hexDigest } from './bytes.js'
import { dataOf, Refusal } from './refusal.js'
import { doSideBySide } from './side-by-side.js'
import { tarOf } from './tar.js'

export interface DeployFile {
  /** Its literal name in the site: `img/logo.svg`. */
  name: string
  /** The oid that `git hash-object` prints for its bytes. */
  oid: string
  /** Bytes. */
  size: number
  /** Called if the service lacks the bytes, and again for each repeated sending. */
  read: () => Blob | Promise<Blob>
}

export interface DeployOptions {
  /** `replace` also removes the site's files that `files` lacks. Default `merge`. */
  mode?: 'merge' | 'replace' | undefined
  /** The reason; kept in the commit. */
  message?: string | undefined
  /** Publishes only if this commit is still the site's head. */
  ifHead?: string | undefined
  /** Leaves out the files that no site can serve, instead of refusing the deploy. The answer lists them in `skipped`. */
  skipInvalid?: boolean | undefined
  /** Paths that `replace` leaves as they are, and everything below them. */
  keep?: readonly string[] | undefined
  /** A folder of the site: `replace` removes only what is below it. */
  below?: string | undefined
  /** The id of a change request: the files go there, and nothing is live. */
  changeRequest?: string | undefined
  /** Called before anything is sent, with what is left out and what is odd. The deploy is given up if it throws. */
  onOpened?: ((opened: OpenedDeploy) => void) | undefined
  /** Publishes nothing: the answer has the changes and the URL of a preview. */
  dryRun?: boolean | undefined
  /** Ends the sending; nothing is published. Rejects with its reason. */
  signal?: AbortSignal | undefined
  /** Called before anything is sent, and after each part. */
  onProgress?: ((sent: DeployProgress) => void) | undefined
}

/** Progress over the files whose bytes the service lacks. */
export interface DeployProgress {
  files: number
  bytes: number
  totalFiles: number
  totalBytes: number
}

export type Deployed = DataOf<'/deploys/{id}/publish', 'post'>
type OpenDeploy = DataOf<'/deploys/{id}', 'get'>
export type OpenedDeploy = Pick<OpenDeploy, 'skipped' | 'warnings'>

/** Files up to this size travel together. */
const SMALL_BYTES = 256 * 1024
const MAX_PART_BYTES = 4 * 1024 * 1024
const MAX_PART_FILES = 500

/** Throws Refusal; `invalid_deploy` lists every name that cannot be taken. Rejects with `Unreachable` if there is no answer. */
export async function deploy(
  client: ApiClient,
  files: readonly DeployFile[],
  options: DeployOptions = {},
): Promise<Deployed> {
  const opened = await open(client, files, options)
  await tell(client, opened, options)
  await send(client, opened, files, options).catch(async (error: unknown) => {
    // Another run has published the same files meanwhile.
    if (!(error instanceof Refusal) || (await read(client, opened.id, options)).state === 'open') throw error
  })
  options.signal?.throwIfAborted()
  const { unchanged } = opened
  if (unchanged !== undefined)
    return options.dryRun === true ? { ...unchanged, previewUrl: null, expiresAt: null } : unchanged
  try {
    return await publish(client, opened, options)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'blobs_missing') throw error
    // The service has lost the uploads: by its disk, or by an operator.
    await send(client, await read(client, opened.id, options), files, options)
    return await publish(client, opened, options)
  }
}

/** Opens a deploy. The same files and options find the deploy of a run that was broken off. */
async function open(
  client: ApiClient,
  files: readonly DeployFile[],
  { mode = 'merge', message, ifHead, skipInvalid, keep, below, changeRequest }: DeployOptions,
): Promise<OpenDeploy> {
  const body = {
    files: Object.fromEntries(files.map(({ name, oid, size }) => [name, { oid, size }])),
    mode,
    ...(message !== undefined && { message }),
    ...(ifHead !== undefined && { ifHead }),
    ...(skipInvalid !== undefined && { skipInvalid }),
    ...(keep !== undefined && keep.length > 0 && { keep: [...keep] }),
    ...(below !== undefined && { below }),
  }
  const create = async (key: string) =>
    dataOf(
      await client.POST('/deploys', {
        params: { header: { 'Idempotency-Key': key }, ...queryOf({ changeRequest }) },
        body,
      }),
    )
  // An older service takes one key for two sites as the same request.
  const text = JSON.stringify({ siteId: client.siteId, changeRequest, ...body })
  const found = await create(`deploy-${await hexDigest('SHA-256', new TextEncoder().encode(text))}`)
  // A published deploy that no longer fits the site: opens a new one.
  const isUsable = found.state === 'open' || found.unchanged !== undefined
  return isUsable ? found : await create(crypto.randomUUID())
}

/** The parameter of each call about a deploy for a change request. */
function queryOf({ changeRequest }: DeployOptions): { query?: { changeRequest: string } } {
  return changeRequest === undefined ? {} : { query: { changeRequest } }
}

async function tell(client: ApiClient, opened: OpenDeploy, options: DeployOptions): Promise<void> {
  try {
    options.onOpened?.(opened)
  } catch (error) {
    dataOf(await client.DELETE('/deploys/{id}', { params: { path: { id: opened.id }, ...queryOf(options) } }))
    throw error
  }
}

async function read(client: ApiClient, id: string, options: DeployOptions): Promise<OpenDeploy> {
  return dataOf(await client.GET('/deploys/{id}', { params: { path: { id }, ...queryOf(options) } }))
}

async function publish(client: ApiClient, { id }: OpenDeploy, options: DeployOptions): Promise<Deployed> {
  const { dryRun = false, changeRequest } = options
  const query = { ...(dryRun && { dryRun }), ...(changeRequest !== undefined && { changeRequest }) }
  const params = { path: { id }, query }
  return dataOf(await client.POST('/deploys/{id}/publish', { params }))
}

async function send(
  client: ApiClient,
  { id, missing = [] }: OpenDeploy,
  files: readonly DeployFile[],
  options: DeployOptions,
): Promise<void> {
  const { onProgress, signal } = options
  const wanted = new Set(missing)
  const lacking = [...new Map(files.map((file) => [file.oid, file])).values()].filter(({ oid }) => wanted.has(oid))
  const sent = { files: 0, bytes: 0, totalFiles: lacking.length, totalBytes: bytesOf(lacking) }
  onProgress?.(sent)
  await doSideBySide([...inParts(lacking)], async (part) => {
    signal?.throwIfAborted()
    await sendPart(client, id, part, options)
    sent.files += part.length
    sent.bytes += bytesOf(part)
    onProgress?.({ ...sent })
  })
}

/** Yields large files by themselves, small ones together. */
function* inParts(files: readonly DeployFile[]): Generator<DeployFile[], void, undefined> {
  let part: DeployFile[] = []
  for (const file of files) {
    if (file.size > SMALL_BYTES) yield [file]
    else {
      if (part.length === MAX_PART_FILES || bytesOf(part) + file.size > MAX_PART_BYTES) {
        yield part
        part = []
      }
      part.push(file)
    }
  }
  if (part.length > 0) yield part
}

async function sendPart(
  client: ApiClient,
  id: string,
  part: readonly DeployFile[],
  options: DeployOptions,
): Promise<void> {
  const { signal } = options
  const [first] = part
  if (first === undefined) return
  const init = (bytes: Blob) => ({ ...bytesBody(bytes), ...(signal && { signal }) })
  if (part.length === 1) {
    const bytes = (await first.read()).slice(undefined, undefined, 'application/octet-stream')
    dataOf(
      await client.PUT('/deploys/{id}/blobs/{oid}', {
        params: { path: { id, oid: first.oid }, ...queryOf(options) },
        ...init(bytes),
      }),
    )
    return
  }
  const blobs = await Promise.all(part.map(async ({ oid, read: readBytes }) => ({ oid, bytes: await readBytes() })))
  dataOf(
    await client.POST('/deploys/{id}/blobs', {
      params: { path: { id }, ...queryOf(options) },
      ...init(await tarOf(blobs)),
    }),
  )
}

function bytesOf(files: readonly DeployFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0)
}
