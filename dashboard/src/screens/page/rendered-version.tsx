// A version in a frame, as visitors would see it after a roll-back. It is the preview of a dry run, not a link to the past:
// a link needs a cookie, which browsers do not send from a frame with an opaque origin.

import { dataOf, type Page, type Site, siteApi } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { PageFrame } from '../../parts/page-frame.js'
import { Await } from '../../parts/state.js'

interface RenderedVersionProps {
  site: Site
  page: Page
  number: number
}

export function RenderedVersion({ site, page, number }: RenderedVersionProps) {
  const url = useLoaded<string>(`rendered ${page.id} ${number}`, async (signal) => {
    const params = { path: { id: page.id }, query: { dryRun: true } }
    const body = { version: number }
    const { dryRun } = dataOf(await siteApi(site).POST('/pages/{id}/rollback', { params, body, signal }))
    // Without a preview nothing would change: visitors see this version now.
    return dryRun?.previewUrl ?? page.url
  })
  return <Await of={url}>{(data) => <PageFrame title={`Version ${number}`} site={site} url={data} />}</Await>
}
