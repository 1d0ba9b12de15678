// Two texts of a page side by side, each in a frame as visitors see it, with marks where their words differ.

import { dataOf, type Site, siteApi } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { Await } from '../states/await.js'
import { loadMarks } from './load-marks.js'
import type { Quote } from './mark-changes.js'
import { PageFrame } from './page-frame.js'

export interface TextToSee {
  /** Names the text, such as “Version 3”. */
  name: string
  /** Null for a page that is not there. */
  html: string | null | undefined
  /** The change request that it is of. */
  request?: string | undefined
  /** Words in it that are marked. */
  quotes?: readonly Quote[]
}

interface SeenTextsProps {
  site: Pick<Site, 'id'>
  path: string
  /** Tells these texts from others. */
  of: string
  before: TextToSee
  after: TextToSee
  /** Shows both in the width of a phone. */
  isPhone?: boolean
}

interface Seen {
  before: string | undefined
  after: string | undefined
  /** Undefined where there is only one to look at. */
  changes: number | undefined
  /** Warnings of the service about the later text, such as links that lead nowhere. */
  warnings: readonly string[]
}

interface Preview {
  url: string
  warnings: readonly string[]
}

/**
 * The frames show previews, not links to the past. A link needs a cookie, which browsers do not send from a frame with an opaque origin.
 */
export function SeenTexts({ site, path, of, before, after, isPhone = false }: SeenTextsProps) {
  const quoted = (after.quotes ?? []).map(({ number, exact }) => `${number} ${exact}`)
  const seen = useLoaded<Seen>(`seen ${of} ${quoted.join()}`, (signal) => preview(site, path, before, after, signal))
  return (
    <Await of={seen}>
      {({ changes, warnings, ...urls }) => (
        <>
          {after.request !== undefined && warnings.length > 0 && (
            <ul class="wrong" aria-label="To look at">
              {warnings.map((warning) => (
                <li key={warning}>{warning}</li>
              ))}
            </ul>
          )}
          {changes === 0 && <p class="hint">The words are the same in both.</p>}
          <div class={isPhone ? 'split as-phone' : 'split'}>
            <One name={before.name} url={urls.before} />
            <One name={after.name} url={urls.after} />
          </div>
        </>
      )}
    </Await>
  )
}

function One({ name, url }: { name: string; url: string | undefined }) {
  if (url === undefined) return <p class="hint">{name}: there is no page.</p>
  return (
    <figure class="seen-version">
      <figcaption class="hint">{name}</figcaption>
      <PageFrame title={name} url={url} />
    </figure>
  )
}

async function preview(
  site: Pick<Site, 'id'>,
  path: string,
  before: TextToSee,
  after: TextToSee,
  signal: AbortSignal,
): Promise<Seen> {
  const isPair = before.html != null && after.html != null
  const { markChanges, markQuotes } = await loadMarks()
  const show = async ({ request, quotes = [] }: TextToSee, html: string | null | undefined) => {
    if (html == null) return undefined
    return await previewOf(site, path, quotes.length === 0 ? html : markQuotes(html, quotes), { request, signal })
  }
  const marked = isPair ? markChanges(before.html ?? '', after.html ?? '') : undefined
  const [earlier, later] = await Promise.all([
    show(before, marked?.before ?? before.html),
    show(after, marked?.after ?? after.html),
  ])
  return { before: earlier?.url, after: later?.url, changes: marked?.count, warnings: later?.warnings ?? [] }
}

interface Previewing {
  request: string | undefined
  signal: AbortSignal
}

/** Makes a preview of the page with this HTML. Visitors do not see it, and it ends after minutes. */
async function previewOf(
  site: Pick<Site, 'id'>,
  path: string,
  html: string,
  { request, signal }: Previewing,
): Promise<Preview> {
  const query = { path, dryRun: true, ...(request !== undefined && { changeRequest: request }) }
  const { dryRun } = dataOf(await siteApi(site).PUT('/pages', { params: { query }, body: { html }, signal }))
  if (dryRun?.previewUrl == null) throw new Error('This version is too large for a preview.')
  return { url: dryRun.previewUrl, warnings: dryRun.warnings.map(({ message }) => message) }
}
