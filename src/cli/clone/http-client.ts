// The connection of a clone to the service: one limit of bytes, no redirects, and refusals in the service's own words.

import type { GitHttpRequest, HttpClient } from 'isomorphic-git'
import { Refusal } from '../../protocols/client/client.js'
import { NoApiKey } from '../connection/credentials.js'
import { Unusable } from '../connection/unusable.js'
import { serviceFetch } from '../connection/service-fetch.js'
import type { CloneSource } from './find-source.js'

/** isomorphic-git holds what it receives in memory, several times over. */
export const MAX_CLONE_BYTES = 256 * 1024 * 1024

/**
 * Makes the client through which isomorphic-git fetches. `onBytes` gets the number of bytes that have come. Requests and bodies reject with
 * Unusable above the limit, with NoApiKey and Refusal, and as `serviceFetch` does.
 */
export function httpClientFor(source: CloneSource, onBytes: (bytes: number) => void): HttpClient {
  return {
    async request({ url, method = 'GET', headers = {}, body }: GitHttpRequest) {
      const sent = body === undefined ? null : await collect(body)
      const response = await serviceFetch(new Request(url, { method, headers, body: sent, redirect: 'manual' }))
      if (response.status !== 200) throw await refusalOf(source, response)
      return {
        url,
        method,
        headers: Object.fromEntries(response.headers),
        statusCode: response.status,
        statusMessage: response.statusText,
        body: withinLimit(response.body, source.url, onBytes),
      }
    },
  }
}

async function* withinLimit(
  chunks: AsyncIterable<Uint8Array> | null,
  url: string,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, void> {
  let bytes = 0
  for await (const chunk of chunks ?? []) {
    bytes += chunk.length
    if (bytes > MAX_CLONE_BYTES)
      throw new Unusable(
        `The repository has more than ${MAX_CLONE_BYTES / 1024 ** 2} MiB. git can clone it: git clone ${url}`,
      )
    onBytes(bytes)
    yield chunk
  }
}

async function refusalOf({ baseUrl, key }: CloneSource, response: Response): Promise<Error> {
  const { status, headers } = response
  if (status >= 300 && status < 400)
    return new Unusable(
      `${baseUrl} leads elsewhere (status ${status}): set PALIMPSEST_URL to the address of the service itself.`,
    )
  if (status === 401 && key === undefined) return new NoApiKey(baseUrl)
  const isOurs = headers.get('Content-Type')?.startsWith('text/plain') === true
  const code = status === 401 ? 'unauthenticated' : 'clone_refused'
  return new Refusal(response, isOurs ? { error: { code, message: (await response.text()).trim() } } : undefined)
}

async function collect(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of chunks) pieces.push(piece)
  return Buffer.concat(pieces)
}
