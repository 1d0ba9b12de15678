// A version in a frame, as visitors would see it after a roll-back. It is a preview, not a link to the past: a link needs a cookie,
// which browsers do not send from a frame with an opaque origin.

import type { Page, Site } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { PageFrame } from '../../parts/page-frame.js'
import { Await } from '../../parts/state.js'
import { previewOfVersion } from './preview-of-version.js'

interface RenderedVersionProps {
  site: Site
  page: Page
  number: number
}

export function RenderedVersion({ site, page, number }: RenderedVersionProps) {
  const url = useLoaded<string>(`rendered ${page.id} ${number}`, (signal) =>
    previewOfVersion(site, page, number, signal),
  )
  return <Await of={url}>{(data) => <PageFrame title={`Version ${number}`} url={data} />}</Await>
}
