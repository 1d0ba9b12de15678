// Lets a request name its site by the slug, where the API takes the id: in `x-service-site-id`, and in paths below `/sites/{id}`.

import type { ApiClient } from './api-client.js'
import { Refusal } from './refusal.js'
import { movedTo } from './moved.js'
import { API_PREFIX } from './request-url.js'

type Middleware = Extract<Parameters<ApiClient['use']>[0], { onRequest: unknown }>

const SITE_FIELD = 'x-service-site-id'
const WORKSPACE_FIELD = 'x-service-account-id'
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Looks each slug up once, since a slug never changes. A request rejects with `Refusal` if the key does not see the site. */
export function siteNames(client: ApiClient): Middleware {
  const ids = new Map<string, string>()

  async function idOf(slug: string, { headers, signal }: Request): Promise<string> {
    const known = ids.get(slug)
    if (known !== undefined) return known
    const { data, error, response } = await client.GET('/sites', {
      params: { query: { slug } },
      headers: { [SITE_FIELD]: null, [WORKSPACE_FIELD]: headers.get(WORKSPACE_FIELD) },
      signal,
    })
    if (data === undefined) throw new Refusal(response, error)
    const [site] = data.data
    if (site === undefined) throw noSuchSite(slug)
    ids.set(slug, site.id)
    return site.id
  }

  return {
    async onRequest({ request, schemaPath, params }) {
      const named = request.headers.get(SITE_FIELD)
      if (named !== null && !UUID.test(named)) request.headers.set(SITE_FIELD, await idOf(named, request))
      const inPath = schemaPath.startsWith('/sites/{id}') ? String(params.path?.['id']) : undefined
      if (inPath === undefined || UUID.test(inPath)) return undefined
      const [from, to] = [encodeURIComponent(inPath), await idOf(inPath, request)]
      return await movedTo(request, `${API_PREFIX}/sites/${from}`, `${API_PREFIX}/sites/${to}`)
    },
  }
}

function noSuchSite(slug: string): Refusal {
  const message = `The key sees no site "${slug}" in this workspace: GET /sites lists those that it sees.`
  return new Refusal(new Response(null, { status: 404 }), { error: { code: 'site_not_found', message } })
}
