// The bytes of files: read from the service, and hashed as git does before they are sent.

import { Refusal, type Site, siteApi } from '../../api/client.js'

export async function readBytes(site: Site, path: string): Promise<Blob> {
  const { data, error, response } = await siteApi(site).GET('/files/content', {
    params: { query: { path } },
    parseAs: 'blob',
  })
  if (error !== undefined) throw new Refusal(response, error)
  return data
}

/** What `git hash-object` prints. Browsers hash in secure contexts alone. */
export async function oidOf(bytes: Blob): Promise<string> {
  if (!isSecureContext) throw new Error('Browsers upload files over https, or from localhost.')
  const object = await new Blob([`blob ${bytes.size}\0`, bytes]).arrayBuffer()
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-1', object))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
