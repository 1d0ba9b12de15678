// Two versions of a page side by side, each in a frame as visitors see it, with marks where their words differ.

import { dataOf, type Page, type Site, siteApi, type Version } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { Await } from '../../parts/states/await.js'
import { PageFrame } from '../../parts/states/page-frame.js'

interface SeenVersionsProps {
  site: Site
  page: Page
  before: Version | undefined
  after: Version
}

interface Seen {
  before: string | undefined
  after: string | undefined
  /** Undefined where there is only one to look at. */
  changes: number | undefined
}

/**
 * The frames show previews, not links to the past. A link needs a cookie, which browsers do not send from a frame with an opaque origin.
 */
export function SeenVersions({ site, page, before, after }: SeenVersionsProps) {
  const seen = useLoaded<Seen>(`seen ${page.id} ${before?.number} ${after.number}`, (signal) =>
    preview(site, page, before, after, signal),
  )
  return (
    <Await of={seen}>
      {({ changes, ...urls }) => (
        <>
          {changes === 0 && <p class="hint">The words are the same in both.</p>}
          <div class="split">
            <One version={before} url={urls.before} />
            <One version={after} url={urls.after} />
          </div>
        </>
      )}
    </Await>
  )
}

function One({ version, url }: { version: Version | undefined; url: string | undefined }) {
  if (version === undefined || url === undefined) return <p class="hint">There was no page.</p>
  return (
    <figure class="seen-version">
      <figcaption class="hint">Version {version.number}</figcaption>
      <PageFrame title={`Version ${version.number}`} url={url} />
    </figure>
  )
}

async function preview(
  site: Site,
  page: Page,
  before: Version | undefined,
  after: Version,
  signal: AbortSignal,
): Promise<Seen> {
  const show = (html: string | null | undefined) =>
    html == null ? undefined : previewOf(site, page.path, html, signal)
  if (before?.html == null || after.html == null) {
    const [earlier, later] = await Promise.all([show(before?.html), show(after.html)])
    return { before: earlier, after: later, changes: undefined }
  }
  const { markChanges } = await import('./mark-changes.js')
  const marked = markChanges(before.html, after.html)
  const [earlier, later] = await Promise.all([show(marked.before), show(marked.after)])
  return { before: earlier, after: later, changes: marked.count }
}

/** Returns the URL of a preview of the page with this HTML. Visitors do not see it, and it ends after minutes. */
async function previewOf(site: Site, path: string, html: string, signal: AbortSignal): Promise<string> {
  const params = { query: { path, dryRun: true } }
  const { dryRun } = dataOf(await siteApi(site).PUT('/pages', { params, body: { html }, signal }))
  if (dryRun?.previewUrl == null) throw new Error('This version is too large for a preview.')
  return dryRun.previewUrl
}
