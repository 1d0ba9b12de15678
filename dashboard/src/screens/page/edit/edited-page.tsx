// The editor of a page: its HTML beside a preview. What is written is saved in a draft, which is published, or reviewed by others first.

import { useState } from 'preact/hooks'
import type { Page, Site } from '../../../api/client.js'
import { readRequest } from '../../../api/requests.js'
import { useShortcuts } from '../../../browser/shortcuts.js'
import { useTitle } from '../../../browser/title.js'
import { useOneAtATime } from '../../../browser/use-one-at-a-time.js'
import { HtmlEditor } from '../../../editor/html-editor.js'
import { formatUrl, nameOfSite } from '../../../format.js'
import { Button } from '../../../parts/controls/button.js'
import { Menu, type MenuItem } from '../../../parts/overlays/menu.js'
import { notifyFailure } from '../../../parts/overlays/notices.js'
import { useMay } from '../../../parts/rights/allowed.js'
import { InviteDialog } from '../../guests/invite-guest.js'
import { PublishAtDialog } from '../../reviews/schedule/publish-at.js'
import { ScheduleNote } from '../../reviews/schedule/schedule-note.js'
import type { OpenPage } from '../open-page.js'
import { type Draft, useDraft } from '../use-draft.js'
import { usePreview } from '../use-preview.js'
import { useSaving } from '../use-saving.js'
import { Conflict } from './conflict.js'
import { DraftNotice } from './draft-notice.js'
import { EditBar } from './edit-bar.js'
import { OfferParagraphs } from './offer-paragraphs.js'
import { Panes } from './panes.js'
import { PreviewPane, useWidth } from './preview-pane.js'
import { PublishBox } from './publish-box.js'
import { unpublish } from './unpublish.js'
import { type Act, type Plan, useDraftActs } from './use-draft-acts.js'

interface EditedPageProps {
  site: Site
  opened: OpenPage
  onOpened: (opened: OpenPage) => void
}

export function EditedPage({ site, opened, onOpened }: EditedPageProps) {
  const { page, request } = opened
  const may = useMay()
  const draft = useDraft({ site, opened, onOpened })
  const [plan, setPlan] = useState<Plan>()
  const { acts, run, saveNow, end } = useDraftActs({ site, opened, draft, onPlan: setPlan })
  const showTime = (id: string) => void readRequest(id).then((next) => draft.open({ request: next }), notifyFailure)
  const state = useSaving(draft, may('try'))
  const [width, setWidth] = useWidth()
  const [isLinkShown, setLinkShown] = useState(false)
  const preview = usePreview(site, page, may('try') ? draft.html : undefined, request?.id)
  useShortcuts(may('try') ? { 'mod+s': () => void saveNow() } : {})
  useTitle(page.path, nameOfSite(site))
  const isTitleEditable =
    may(request === undefined ? 'write' : 'try') && (site.protection !== 'all' || request !== undefined)
  const isDraft = request !== undefined || draft.isChanged
  return (
    <div class="edit">
      <EditBar
        site={site}
        page={page}
        request={request?.id}
        isTitleEditable={isTitleEditable}
        onRetitled={draft.adopt}
        badge={request && (request.state === 'review' ? 'Waits for review' : 'Draft')}
        state={state}
        width={width}
        onWidth={setWidth}
      >
        {may('try') && (
          <>
            <Button class="wide-only" disabled={!draft.isChanged} onClick={() => void saveNow()}>
              Save draft
            </Button>
            <PublishBox
              acts={acts}
              isOff={!isDraft || draft.markedLine !== undefined}
              note={draft.note}
              onNote={draft.setNote}
              onAct={run}
              tell={(act) => told(act, page)}
            />
          </>
        )}
        <PageMenu
          site={site}
          page={page}
          draft={draft}
          onEnd={end}
          onLink={() => void draft.save().then((id) => setLinkShown(id !== undefined))}
        />
      </EditBar>
      <DraftNotice site={site} opened={opened} />
      {request && <ScheduleNote request={request} onChanged={() => showTime(request.id)} />}
      <OfferParagraphs
        html={draft.html}
        title={page.title ?? ''}
        onReplace={(html) => draft.replace(html, draft.baseEtag)}
      />
      <Panes
        editor={
          <HtmlEditor
            site={site}
            request={request?.id}
            text={draft.html}
            version={draft.round}
            onChange={draft.change}
          />
        }
        preview={<PreviewPane preview={preview} width={width} />}
      />
      {isLinkShown && request !== undefined && (
        <InviteDialog site={site} request={request} onClose={() => setLinkShown(false)} />
      )}
      {plan && (
        <PublishAtDialog
          {...plan}
          title={draft.note}
          onClose={() => setPlan(undefined)}
          onChanged={() => showTime(plan.request.id)}
        />
      )}
      <Conflict draft={draft} mayPublish={acts.includes('Publish')} onPublish={run} onEnd={end} />
    </div>
  )
}

function told(act: Act, page: Page): string {
  if (act === 'Ask for review') return 'It is not live until a person who may publish here has looked at it.'
  if (act === 'Publish at…' || act === 'Approve, publish at…') return 'You choose the day and the time.'
  return `It is live at ${formatUrl(page.url)} at once.`
}

interface PageMenuProps {
  site: Site
  page: Page
  draft: Draft
  onEnd: () => Promise<void>
  onLink: () => void
}

function PageMenu({ site, page, draft: { request, isChanged }, onEnd, onLink }: PageMenuProps) {
  const may = useMay()
  const takeDown = useOneAtATime(() => unpublish(site, page))
  const isDraft = request !== undefined || isChanged
  const items: MenuItem[] = [
    { label: 'Open the page', icon: 'open', href: page.url, isNewTab: true },
    { label: 'History of the page', icon: 'history', href: `/sites/${site.slug}/pages/${page.id}/history` },
  ]
  if (isDraft && may('try'))
    items.push(
      { label: 'Invite a guest', icon: 'link', run: onLink },
      { label: 'Delete the draft', icon: 'delete', isRisky: true, run: () => void onEnd() },
    )
  else if (may('write')) items.push({ label: 'Unpublish', icon: 'delete', isRisky: true, run: () => void takeDown() })
  return <Menu label="More about this page" items={items} />
}
