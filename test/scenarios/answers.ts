// Gathers every answer of the API about the content of a site, so that a test can compare two services, or one before and after
// an event.

import type { ApiClient } from './client.js'

export type Answers = Record<string, unknown>

interface Identified {
  id: string
}

/** Answers by request, without the fields that may differ: request ids, times of checking, and the key's own data. */
export async function gatherAnswers(api: ApiClient, siteId: string): Promise<Answers> {
  const answers: Answers = {}
  const get = async (path: string): Promise<unknown> => {
    const response = await api.get(path).set('x-service-site-id', siteId)
    const body = response.body as { data?: unknown; error?: { requestId?: string } }
    delete body.error?.requestId
    answers[path] = { status: response.status, etag: response.get('ETag'), body }
    return body.data
  }
  const list = async (path: string) => (await get(`${path}${path.includes('?') ? '&' : '?'}limit=1000`)) as Identified[]

  for (const query of ['status=published', 'status=unpublished', 'q=the', 'prefix=/docs/'])
    await list(`/pages?${query}`)
  for (const { id } of await list('/pages?status=all')) {
    await get(`/pages/${id}`)
    const versions = await list(`/pages/${id}/versions`)
    for (const version of versions) await get(`/pages/${id}/versions/${version.id}`)
    for (const number of versions.keys()) await get(`/pages/${id}/diff?to=${number + 1}`)
  }
  for (const { id } of await list('/collections')) {
    await get(`/collections/${id}`)
    for (const query of ['', '?q=river', '?sort=-year,title', '?filter[year][gte]=1900']) {
      await list(`/collections/${id}/records${query}`)
    }
    for (const record of await list(`/collections/${id}/records`)) await get(`/collections/${id}/records/${record.id}`)
  }
  // Whether a commit is the caller's own depends on the key.
  const forget = (commit: unknown) => delete (commit as { mine?: boolean }).mine
  for (const commit of await list(`/sites/${siteId}/commits`)) {
    forget(commit)
    forget(await get(`/sites/${siteId}/commits/${commit.id}`))
  }
  const checks = (await get(`/sites/${siteId}/checks`)) as { checkedAt?: string }
  delete checks.checkedAt
  return answers
}
