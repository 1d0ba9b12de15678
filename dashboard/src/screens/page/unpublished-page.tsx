// A page that visitors no longer see: a link to its versions, and its draft if this browser still has one.

import { dataOf, type Page, type Site, siteApi } from '../../api/client.js'
import { useTitle } from '../../browser/title.js'
import { HtmlEditor } from '../../editor/html-editor.js'
import { Allowed } from '../../parts/rights/allowed.js'
import { Form } from '../../parts/controls/form.js'
import { notify, notifyFailure } from '../../parts/overlays/notices.js'
import { type KeptText, useKeptText } from './use-kept-text.js'
import { Button } from '../../parts/controls/button.js'

interface UnpublishedPageProps {
  site: Site
  page: Page
  onChanged: (page: Page) => void
}

export function UnpublishedPage({ site, page, onChanged }: UnpublishedPageProps) {
  const draft = useKeptText({ id: page.id, etag: page.etag, html: '' })
  useTitle(page.path, site.slug)
  return (
    <>
      <div class="panel empty">
        <h2>{page.path} is unpublished</h2>
        <p>
          Visitors no longer see it. Go back to one of its versions to publish it again: its address and its history
          stay.
        </p>
        <a class={draft.isChanged ? 'button' : 'button main'} href={`/sites/${site.slug}/pages/${page.id}/history`}>
          History
        </a>
      </div>
      <Allowed to="write">
        {draft.isChanged && <KeptDraft site={site} page={page} draft={draft} onChanged={onChanged} />}
      </Allowed>
    </>
  )
}

interface KeptDraftProps extends UnpublishedPageProps {
  draft: KeptText
}

/** The draft of an unpublished page. Publishing it makes the next version of the page: id, path and history stay. */
function KeptDraft({ site, page, draft: { html, round, change, replace }, onChanged }: KeptDraftProps) {
  const publish = async () => {
    try {
      const live = dataOf(await siteApi(site).POST('/pages', { body: { path: page.path, html } }))
      onChanged({ ...live, html })
      notify(`${page.path} is live again, with your draft.`)
    } catch (error) {
      notifyFailure(error)
    }
  }
  const discard = () => {
    replace('', page.etag)
    notify('Your draft is discarded.', { label: 'Undo', run: () => replace(html, page.etag) })
  }
  return (
    <>
      <Form class="bar" onSubmit={publish}>
        <span class="hint grow">Your draft of the page, not published; kept in this browser</span>
        <Button onClick={discard}>Discard</Button>
        <Button type="submit" kind="main">
          Publish the draft
        </Button>
      </Form>
      <HtmlEditor site={site} text={html} version={round} onChange={change} />
    </>
  )
}
