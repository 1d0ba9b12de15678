// Fetches the bytes of a file from an address that the client names, under the rules of imports.

import { fetchFile } from '../../git/remotes/fetch-file.js'
import { RemoteFailed } from '../../git/remotes/remote-failed.js'
import { ServiceError } from '../../model/errors.js'
import type { ReceivedBlob } from '../../repository/uploads/uploads.js'
import type { Site } from '../../catalog/site.js'
import type { Services } from '../context/services.js'

/** Time for the whole fetch. */
const MAX_FETCH_MS = 20_000

/** Receives the bytes as those of an upload. Throws `invalid_remote`, `payload_too_large`, `service_busy` and `disk_reserve`. */
export async function receiveFrom(
  services: Pick<Services, 'admission' | 'limits' | 'privateRemotes' | 'uploads'>,
  { workspaceId }: Site,
  text: string,
): Promise<ReceivedBlob> {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || url.username !== '' || url.password !== '')
    throw new ServiceError('invalid_remote', 'Send the https URL of a file, without a user name and a password in it.')
  return await services.admission.gate('fetched-files').during(workspaceId, () => receive(services, url))
}

async function receive(
  services: Pick<Services, 'limits' | 'privateRemotes' | 'uploads'>,
  url: URL,
): Promise<ReceivedBlob> {
  const late = new RemoteFailed(`${url.host} has not sent the file within ${MAX_FETCH_MS / 1_000} seconds.`)
  const ended = new AbortController()
  const timer = setTimeout(() => ended.abort(late), MAX_FETCH_MS)
  try {
    const { signal } = ended
    const answer = await fetchFile({ url, exceptions: services.privateRemotes, signal })
    const chunks = bounded(answer as AsyncIterable<Buffer>, services.limits.maxFileBytes)
    return await services.uploads.receive({ size: undefined, chunks })
  } catch (error) {
    const failure = ended.signal.aborted ? late : error
    if (!(failure instanceof RemoteFailed) && !isBroken(failure)) throw failure
    throw new ServiceError('invalid_remote', failure instanceof RemoteFailed ? failure.message : broken(url))
  } finally {
    clearTimeout(timer)
    ended.abort(late)
  }
}

async function* bounded(chunks: AsyncIterable<Buffer>, maximum: number): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > maximum)
      throw new ServiceError('payload_too_large', `The file is longer than ${maximum} bytes.`, { maximum })
    yield chunk
  }
}

/** Whether the other side ended the connection within the file. */
function isBroken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNRESET'
}

function broken({ host }: URL): string {
  return `${host} ended the connection before the file was complete.`
}
