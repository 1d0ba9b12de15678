// Fetches the bytes at an https URL. Each address of the way there is checked as that of a repository is, and nothing secret is sent.

import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { certificateWords } from './certificate-words.js'
import { findAddresses, type PrivateRemotes, type Resolve } from './remote-address.js'
import { RemoteFailed, wordsOf } from './remote-failed.js'

export interface FileRequest {
  url: URL
  exceptions: PrivateRemotes
  /** Ends the request. */
  signal: AbortSignal
  resolve?: Resolve
  /** Default: 3. */
  maxRedirects?: number
}

const MAX_REDIRECTS = 3
const REDIRECTS: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308])

/** Resolves with an answer of status 200, whose body is read by the caller. Rejects with RemoteFailed. */
export async function fetchFile({
  url: first,
  maxRedirects = MAX_REDIRECTS,
  ...request
}: FileRequest): Promise<IncomingMessage> {
  let url = first
  for (let redirects = 0; ; redirects++) {
    const answer = await get(url, request)
    if (answer.statusCode === 200) return answer
    answer.destroy()
    const { location } = answer.headers
    if (!REDIRECTS.has(answer.statusCode) || location === undefined)
      throw new RemoteFailed(`${url.host} answers ${answer.statusCode}: there is no file to fetch.`)
    if (redirects === maxRedirects || !URL.canParse(location, url.href))
      throw new RemoteFailed(`${first.host} redirects too often, or to nothing.`)
    url = new URL(location, url.href)
  }
}

async function get(
  url: URL,
  { exceptions, signal, resolve }: Omit<FileRequest, 'url' | 'maxRedirects'>,
): Promise<IncomingMessage> {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new RemoteFailed('The URL must begin with https://.')
  const addresses = await findAddresses(url, exceptions, resolve)
  const pinned: LookupFunction = (_hostname, { all }, done) => {
    const [address = { address: '', family: 0 }] = addresses
    if (all === true) done(null, addresses)
    else done(null, address.address, address.family)
  }
  const client = url.protocol === 'https:' ? https : http
  const headers = { 'user-agent': 'Palimpsest', 'accept-encoding': 'identity' }
  return await new Promise((done, fail) => {
    client
      .get(url, { headers, signal, lookup: pinned, agent: false }, done)
      .once('error', (error) => fail(signal.aborted ? signal.reason : failureOf(url, error)))
  })
}

function failureOf({ host }: URL, error: Error): RemoteFailed {
  const words = certificateWords(host, error) ?? `The connection to ${host} failed: ${error.message}`
  return new RemoteFailed(wordsOf(words))
}
