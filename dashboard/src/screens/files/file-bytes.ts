// The bytes of files: read from the service, and hashed as git does before they are sent.

import { gitOidOf, Refusal, type Site, siteApi } from '../../api/client.js'

export async function readBytes(site: Site, path: string): Promise<Blob> {
  const { data, error, response } = await siteApi(site).GET('/files/content', {
    params: { query: { path } },
    parseAs: 'blob',
  })
  if (error !== undefined) throw new Refusal(response, error)
  return data
}

/** Throws an error for people where the browser does not hash. */
export async function oidOf(bytes: Blob): Promise<string> {
  if (!isSecureContext) throw new Error('Browsers upload files over https, or from localhost.')
  return await gitOidOf(bytes)
}
