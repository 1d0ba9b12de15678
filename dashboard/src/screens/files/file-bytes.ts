// Reads the bytes of files from the service, and hashes local ones as git does before an upload.

import { gitOidOf, Refusal, type Site, siteApi } from '../../api/client.js'

export async function readBytes(site: Site, path: string): Promise<Blob> {
  const { data, error, response } = await siteApi(site).GET('/files/content', {
    params: { query: { path } },
    parseAs: 'blob',
  })
  if (error !== undefined) throw new Refusal(response, error)
  return data
}

/** Returns the git oid of the bytes. Throws an error for people if the browser cannot hash. */
export async function oidOf(bytes: Blob): Promise<string> {
  if (!isSecureContext) throw new Error('Browsers upload files over https, or from localhost.')
  return await gitOidOf(bytes)
}
