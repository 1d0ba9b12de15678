// The editor of a page in a change request. It is saved in the service as it is written, and nobody sees it before it is published.

import { useState } from 'preact/hooks'
import type { ChangeRequest, Page, Site } from '../../../api/client.js'
import { useShortcuts } from '../../../browser/shortcuts.js'
import { useTitle } from '../../../browser/title.js'
import { HtmlEditor } from '../../../editor/html-editor.js'
import { formatUrl } from '../../../format.js'
import { Menu } from '../../../parts/overlays/menu.js'
import { usePageDraft } from '../use-page-draft.js'
import { usePreview } from '../use-preview.js'
import { Conflict } from './conflict.js'
import { EditBar } from './edit-bar.js'
import { OfferParagraphs } from './offer-paragraphs.js'
import { Panes } from './panes.js'
import { PreviewLink } from './preview-link.js'
import { PreviewPane, useWidth } from './preview-pane.js'
import { PublishBox } from './publish-box.js'
import { APPROVED_BY_OTHERS } from './published-page.js'
import { type Act, useRequestActs } from './use-request-acts.js'

interface DraftPageProps {
  site: Site
  page: Page
  request: ChangeRequest
  onChanged: (page: Page) => void
  onRequestChanged: (request: ChangeRequest) => void
}

export function DraftPage({ site, page, request, onChanged, onRequestChanged }: DraftPageProps) {
  const draft = usePageDraft({ site, page, onChanged, request: request.id })
  const acts = useRequestActs({ site, page, request, draft, onRequestChanged })
  const [width, setWidth] = useWidth()
  const [isLinkShown, setLinkShown] = useState(false)
  const preview = usePreview(site, page, draft.html, request.id)
  useShortcuts({ 'mod+s': () => void draft.save() })
  useTitle(page.path, site.slug)
  const bar = { site, page, request: request.id, isTitleEditable: true, onRetitled: draft.adopt }
  const isWaiting = request.state === 'review'
  return (
    <div class="edit">
      <EditBar
        {...bar}
        badge={isWaiting ? 'Waits for approval' : 'Draft'}
        state={acts.state}
        width={width}
        onWidth={setWidth}
      >
        {acts.act !== undefined && (
          <PublishBox
            act={acts.act}
            isOff={draft.markedLine !== undefined}
            note={draft.note}
            onNote={draft.setNote}
            onSubmit={acts.run}
          >
            <p class="hint">{told(acts.act, page)}</p>
          </PublishBox>
        )}
        <Menu
          label="More about this draft"
          items={[
            { label: 'Preview link', icon: 'link', run: () => void draft.save().then(setLinkShown) },
            { label: 'Delete the draft', icon: 'delete', isRisky: true, run: () => void acts.end() },
          ]}
        />
      </EditBar>
      <OfferParagraphs
        html={draft.html}
        title={page.title ?? ''}
        onReplace={(html) => draft.replace(html, draft.baseEtag)}
      />
      <Panes
        editor={
          <HtmlEditor
            site={site}
            request={request.id}
            text={draft.html}
            version={draft.round}
            onChange={draft.change}
          />
        }
        preview={<PreviewPane preview={preview} width={width} />}
      />
      {isLinkShown && <PreviewLink page={page} request={request.id} onClose={() => setLinkShown(false)} />}
      <Conflict draft={draft} />
    </div>
  )
}

function told(act: Act, page: Page): string {
  return act === 'Propose' ? APPROVED_BY_OTHERS : `It is then live at ${formatUrl(page.url)}.`
}
