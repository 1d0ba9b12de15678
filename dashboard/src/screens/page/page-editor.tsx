// The editor of one page: its HTML next to a preview. It is published with a note.

import type { Page, Site } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { useShortcuts } from '../../browser/shortcuts.js'
import { useTitle } from '../../browser/title.js'
import { HtmlEditor } from '../../editor/html-editor.js'
import { Allowed, useMay } from '../../parts/allowed.js'
import { PageFrame } from '../../parts/page-frame.js'
import { Await } from '../../parts/state.js'
import { Conflict } from './conflict.js'
import { PageBar } from './page-bar.js'
import { PublishBar } from './publish-bar.js'
import { readPage } from './read-page.js'
import { UnpublishedPage } from './unpublished-page.js'
import { usePageDraft } from './use-page-draft.js'
import { type Preview, usePreview } from './use-preview.js'

/** Warnings shown below the preview. */
const MAX_WARNINGS = 4

export function PageEditorScreen({ site, pageId }: { site: Site; pageId: string }) {
  const page = useLoaded<Page>(`page ${pageId}`, (signal) => readPage(site, pageId, signal))
  return (
    <Await of={page}>
      {(data) =>
        data.status === 'published' ? (
          <PublishedPage site={site} page={data} onChanged={page.put} />
        ) : (
          <UnpublishedPage site={site} page={data} onChanged={page.put} />
        )
      }
    </Await>
  )
}

interface PublishedPageProps {
  site: Site
  page: Page
  onChanged: (page: Page) => void
}

function PublishedPage({ site, page, onChanged }: PublishedPageProps) {
  const draft = usePageDraft(site, page, onChanged)
  const may = useMay()
  const preview = usePreview(site, page, may('try') ? draft.html : undefined)
  useShortcuts(may('write') ? { 'mod+s': () => void draft.publish() } : {})
  useTitle(page.path, site.slug)
  return (
    <>
      <PageBar site={site} page={page} onRetitled={draft.adopt} />
      <Allowed
        to="write"
        otherwise={<p class="hint bar">Your role here does not publish: what you change stays in this browser.</p>}
      >
        <PublishBar draft={draft} />
      </Allowed>
      <div class="split">
        <HtmlEditor site={site} text={draft.html} version={draft.round} onChange={draft.change} />
        <PreviewPane preview={preview} />
      </div>
      <Conflict draft={draft} />
    </>
  )
}

function PreviewPane({ preview: { url, absence, problem, warnings = [] } }: { preview: Preview }) {
  return (
    <div class="preview">
      {url === undefined ? (
        <div class="frame hint" role="group" aria-label="Preview">
          <p>{absence}</p>
        </div>
      ) : (
        <PageFrame title="Preview" url={url} />
      )}
      <div role="status">
        {problem !== undefined && <p class="hint wrong">{problem}</p>}
        {warnings.slice(0, MAX_WARNINGS).map((warning) => (
          <p key={warning} class="hint">
            {warning}
          </p>
        ))}
      </div>
    </div>
  )
}
