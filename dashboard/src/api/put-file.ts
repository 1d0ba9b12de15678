// Puts the bytes of one file and reports progress, which `fetch` cannot do.

import type { Done } from '../parts/states/progress.js'
import { Refusal, reportSignedOut, type Site, type StoredFile } from './client.js'
import { reportLost } from './connection.js'

interface PutOptions {
  /** The entity tag that the file must have, without quotes; null if the file must not exist. */
  ifMatch: string | null
  /** Accepts rules with wrong lines. */
  force?: boolean
  /** Writes to this change request in place of what is live. */
  request?: string | undefined
  onProgress?: (progress: Done) => void
  signal?: AbortSignal
}

/** Rejects with Refusal, with the reason of an aborted `signal`, and with an error for people if nothing answers. */
export function putFile(
  site: Site,
  path: string,
  bytes: Blob,
  { ifMatch, force = false, request: changeRequest, onProgress, signal }: PutOptions,
): Promise<StoredFile> {
  const request = new XMLHttpRequest()
  const query = new URLSearchParams({ path, ...(force && { force: 'true' }), ...(changeRequest && { changeRequest }) })
  request.open('PUT', `/api/v1/files?${query}`)
  request.setRequestHeader('Content-Type', 'application/octet-stream')
  request.setRequestHeader('x-service-site-id', site.id)
  if (ifMatch === null) request.setRequestHeader('If-None-Match', '*')
  else request.setRequestHeader('If-Match', `"${ifMatch}"`)
  return new Promise((resolve, reject) => {
    const abort = () => request.abort()
    signal?.addEventListener('abort', abort)
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress?.({ done: loaded, all: total }))
    request.addEventListener('loadend', () => signal?.removeEventListener('abort', abort))
    request.addEventListener('load', () => settle(request, resolve, reject))
    request.addEventListener('error', () => reject(reportLost()))
    request.addEventListener('abort', () => reject(signal?.reason as Error))
    if (signal?.aborted === true) reject(signal.reason as Error)
    else request.send(bytes)
  })
}

function settle(
  { status, responseText }: XMLHttpRequest,
  resolve: (file: StoredFile) => void,
  reject: (error: Error) => void,
) {
  if (status === 401) reportSignedOut()
  const body = parse(responseText)
  if (body?.data !== undefined) resolve(body.data)
  else if (body?.error !== undefined) reject(new Refusal(new Response(null, { status }), body))
  else reject(reportLost())
}

function parse(text: string): { data?: StoredFile; error?: unknown } | undefined {
  try {
    return JSON.parse(text) as { data?: StoredFile; error?: unknown }
  } catch {
    return undefined
  }
}
