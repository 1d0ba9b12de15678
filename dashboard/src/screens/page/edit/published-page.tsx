// The editor of a page that is live: its HTML beside a preview. It is published with a note, or proposed where others approve.

import type { Page, Site } from '../../../api/client.js'
import { dropDraft } from '../../../browser/drafts.js'
import { navigate } from '../../../browser/router.js'
import { useShortcuts } from '../../../browser/shortcuts.js'
import { useTitle } from '../../../browser/title.js'
import { useOneAtATime } from '../../../browser/use-one-at-a-time.js'
import { bothIn } from '../../../editor/both-texts.js'
import { HtmlEditor } from '../../../editor/html-editor.js'
import { formatUrl } from '../../../format.js'
import { LinkButton } from '../../../parts/controls/button.js'
import { Menu, type MenuItem } from '../../../parts/overlays/menu.js'
import { notify, notifyFailure } from '../../../parts/overlays/notices.js'
import { useMay } from '../../../parts/rights/allowed.js'
import { type Draft, usePageDraft } from '../use-page-draft.js'
import { usePreview } from '../use-preview.js'
import { Conflict } from './conflict.js'
import { EditBar } from './edit-bar.js'
import { OfferParagraphs } from './offer-paragraphs.js'
import { Panes } from './panes.js'
import { PreviewPane, useWidth } from './preview-pane.js'
import { propose } from './propose.js'
import { PublishBox } from './publish-box.js'
import { unpublish } from './unpublish.js'

interface PublishedPageProps {
  site: Site
  page: Page
  onChanged: (page: Page) => void
}

export function PublishedPage({ site, page, onChanged }: PublishedPageProps) {
  const draft = usePageDraft({ site, page, onChanged })
  const may = useMay()
  const [width, setWidth] = useWidth()
  const preview = usePreview(site, page, may('try') ? draft.html : undefined)
  const isHeld = site.protection === 'all' || !may('write')
  const send = useOneAtATime(async () => {
    if (!isHeld || !draft.isChanged || draft.markedLine !== undefined) return await draft.publish()
    await proposeChange(site, page, draft)
  })
  useShortcuts(may('try') ? { 'mod+s': () => void send() } : {})
  useTitle(page.path, site.slug)
  const isTitleEditable = may('write') && site.protection !== 'all'
  const bar = { site, page, isTitleEditable, onRetitled: draft.adopt, width, onWidth: setWidth }
  return (
    <div class="edit">
      <EditBar {...bar} state={may('try') ? stateOf(draft) : READS_ONLY}>
        <LinkButton kind="quiet" icon="history" href={`/sites/${site.slug}/pages/${page.id}/history`}>
          History
        </LinkButton>
        {may('try') && (
          <PublishBox
            act={isHeld ? 'Propose' : 'Publish'}
            isOff={!draft.isChanged || draft.markedLine !== undefined}
            note={draft.note}
            onNote={draft.setNote}
            onSubmit={send}
          >
            <p class="hint">{isHeld ? APPROVED_BY_OTHERS : `It is live at ${formatUrl(page.url)} at once.`}</p>
          </PublishBox>
        )}
        <PageMenu site={site} page={page} draft={draft} />
      </EditBar>
      <OfferParagraphs
        html={draft.html}
        title={page.title ?? ''}
        onReplace={(html) => draft.replace(html, draft.baseEtag)}
      />
      <Panes
        editor={<HtmlEditor site={site} text={draft.html} version={draft.round} onChange={draft.change} />}
        preview={<PreviewPane preview={preview} width={width} />}
      />
      <Conflict draft={draft} />
    </div>
  )
}

/** Tells who decides about what is proposed. */
export const APPROVED_BY_OTHERS = 'It is not live until another person who may publish here has approved it.'
const READS_ONLY = 'Your role here does not publish: what you change stays in this browser.'

function PageMenu({ site, page, draft }: { site: Site; page: Page; draft: Draft }) {
  const may = useMay()
  const takeDown = useOneAtATime(() => unpublish(site, page))
  const items: MenuItem[] = [{ label: 'Open the page', icon: 'open', href: page.url, isNewTab: true }]
  if (draft.isChanged) items.push({ label: 'Discard my changes', icon: 'undo', run: draft.discard })
  if (may('write')) items.push({ label: 'Unpublish', icon: 'delete', isRisky: true, run: () => void takeDown() })
  return <Menu label="More about this page" items={items} />
}

async function proposeChange(site: Site, page: Page, { html, note, baseEtag }: Draft): Promise<void> {
  try {
    const request = await propose(site, page, { html, note, etag: baseEtag })
    dropDraft(page.id)
    notify('Proposed. Others find it at this address.')
    navigate(`/sites/${site.slug}/pages/${page.id}?changeRequest=${request}`)
  } catch (error) {
    notifyFailure(error)
  }
}

function stateOf({ isChanged, markedLine }: Draft): string {
  if (markedLine !== undefined) return bothIn(markedLine)
  return isChanged ? 'Not published yet; kept in this browser' : 'As published'
}
