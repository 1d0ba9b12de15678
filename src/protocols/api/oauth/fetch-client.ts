// Fetches the metadata of a client whose id is a URL. The rules are those for all addresses that strangers name: only public ones, no
// redirects, little time and few bytes. The library sees only the fields that are read here.

import { fetchFile } from '../../../git/remotes/fetch-file.js'
import type { PrivateRemotes } from '../../../git/remotes/remote-address.js'
import { RemoteFailed } from '../../../git/remotes/remote-failed.js'
import { readClientMetadata } from './client-metadata.js'

const MAX_FETCH_MS = 5_000
const MAX_BYTES = 16 * 1024

export interface FetchClientParts {
  exceptions: PrivateRemotes
  /** Runs the fetch when there is room for one more. */
  during: <T>(work: () => Promise<T>) => Promise<T>
  maxMs?: number
}

/** Resolves with the document as the library may see it. Rejects with RemoteFailed, BadClient, or the refusal of `during`. */
export async function fetchClient(
  id: string,
  { exceptions, during, maxMs = MAX_FETCH_MS }: FetchClientParts,
): Promise<Response> {
  const url = new URL(id)
  const text = await during(() => fetchText(url, exceptions, maxMs))
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    throw new RemoteFailed(`${url.host} has no JSON there: a client's metadata is a JSON object.`)
  }
  const isOwn = (document as { client_id?: unknown } | null)?.client_id === id
  if (!isOwn) throw new RemoteFailed(`The metadata at ${url.host} must have this very URL as its client_id.`)
  return Response.json({ client_id: id, ...readClientMetadata(document, url.host) })
}

async function fetchText(url: URL, exceptions: PrivateRemotes, maxMs: number): Promise<string> {
  const late = new RemoteFailed(`${url.host} has not sent the metadata within ${maxMs / 1_000} seconds.`)
  const ended = new AbortController()
  const timer = setTimeout(() => ended.abort(late), maxMs)
  try {
    const answer = await fetchFile({ url, exceptions, signal: ended.signal, maxRedirects: 0 })
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > MAX_BYTES) throw new RemoteFailed(`The metadata at ${url.host} is longer than ${MAX_BYTES} bytes.`)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks).toString('utf8')
  } catch (error) {
    if (ended.signal.aborted) throw late
    if (error instanceof RemoteFailed) throw error
    throw new RemoteFailed(`${url.host} ended the connection before the metadata was complete.`)
  } finally {
    clearTimeout(timer)
    ended.abort(late)
  }
}
