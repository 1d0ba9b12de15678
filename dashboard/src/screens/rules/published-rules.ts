// Reads a rules file as it is published.

import { Refusal, type Site, siteApi } from '../../api/client.js'

export const RULES_FILES = ['_redirects', '_headers'] as const
export type RulesFile = (typeof RULES_FILES)[number]

export interface PublishedRules {
  text: string
  /** The entity tag without quotes; null if there is no such file. */
  oid: string | null
}

/** A longer file is not shown: the service reads at most 512 KiB of rules. */
const MAX_SHOWN_BYTES = 1024 * 1024

export async function readRules(site: Site, file: RulesFile, signal?: AbortSignal): Promise<PublishedRules> {
  const params = { query: { path: `/${file}` } }
  const answer = await siteApi(site).GET('/files/content', { params, parseAs: 'stream', ...(signal && { signal }) })
  const { response } = answer
  if (response.status === 404 && new Refusal(response, answer.error).code === 'file_not_found')
    return { text: '', oid: null }
  if (answer.error !== undefined) throw new Refusal(response, answer.error)
  if (Number(response.headers.get('Content-Length')) > MAX_SHOWN_BYTES) {
    await response.body?.cancel()
    throw new Error(
      `${file} is too long for the service to read, and so for this screen: replace it on the Files screen.`,
    )
  }
  const oid = response.headers.get('ETag')?.replaceAll(/^"|"$/g, '') ?? null
  return { text: await new Response(answer.data).text(), oid }
}
