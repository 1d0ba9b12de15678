// The draft of a published page. The browser keeps it until it is published or discarded. It is never published over a version
// that its author has not seen.

import { useState } from 'preact/hooks'
import { dataOf, type Page, Refusal, type Site, siteApi } from '../../api/client.js'
import { useOneAtATime } from '../../browser/use-one-at-a-time.js'
import { notify, notifyFailure } from '../../parts/notices.js'
import { readPage } from './read-page.js'
import { type KeptText, useKeptText } from './use-kept-text.js'

export interface Draft extends KeptText {
  note: string
  setNote: (note: string) => void
  publish: () => Promise<void>
  /** Shows the page after a change of something other than its HTML. */
  adopt: (page: Page) => void
  discard: () => void
  /** The newer version that somebody else published; undefined if there is none. */
  theirs: Page | undefined
  publishOverTheirs: () => Promise<void>
  takeTheirs: () => void
  /** Continues the draft next to the newer version. Publishing then replaces that version. */
  mergeByHand: () => void
  closeConflict: () => void
  /** The version to merge the draft with. */
  merged: Page | undefined
}

export function usePageDraft(site: Site, page: Page, onChanged: (page: Page) => void): Draft {
  const text = useKeptText(page)
  const { html, isChanged, baseEtag, setBaseEtag } = text
  const [note, setNote] = useState('')
  const [theirs, setTheirs] = useState<Page>()
  const [merged, setMerged] = useState<Page>()
  const settle = (next: Page) => {
    setTheirs(undefined)
    setMerged(undefined)
    setNote('')
    onChanged(next)
  }
  /** Shows another person's change in the meantime: a newer version, or an unpublished page. */
  const showTheirs = (now: Page) => {
    if (now.status === 'published') return setTheirs(now)
    notifyFailure(`Somebody else unpublished ${now.path} meanwhile. Your draft is kept.`)
    onChanged(now)
  }
  const publishOver = useOneAtATime(async (etag: string) => {
    try {
      const next = await replaceContent(site, page.id, { html, note, etag })
      setBaseEtag(next.etag)
      settle({ ...next, html })
      notify('Published.')
    } catch (error) {
      const code = error instanceof Refusal ? error.code : undefined
      if (code === 'precondition_failed' || code === 'page_unpublished')
        await readPage(site, page.id).then(showTheirs, notifyFailure)
      else notifyFailure(error)
    }
  })
  return {
    ...text,
    note,
    setNote,
    async publish() {
      if (isChanged) await publishOver(baseEtag)
      else notify('There is nothing to publish: this is the published version.')
    },
    adopt(next) {
      if (baseEtag === page.etag) setBaseEtag(next.etag)
      onChanged({ ...next, html: page.html ?? '' })
    },
    discard() {
      text.replace(page.html ?? '', page.etag)
      notify('Your changes are discarded.', { label: 'Undo', run: () => text.replace(html, baseEtag) })
    },
    theirs,
    publishOverTheirs: async () => theirs && (await publishOver(theirs.etag)),
    takeTheirs() {
      if (theirs === undefined) return
      text.replace(theirs.html ?? '', theirs.etag)
      settle(theirs)
    },
    mergeByHand() {
      if (theirs === undefined) return
      setBaseEtag(theirs.etag)
      setMerged(theirs)
      setTheirs(undefined)
      onChanged(theirs)
    },
    closeConflict: () => setTheirs(undefined),
    merged: isChanged ? merged : undefined,
  }
}

interface Change {
  html: string
  note: string
  etag: string
}

async function replaceContent(site: Site, id: string, { html, note, etag }: Change): Promise<Page> {
  const params = { path: { id }, header: { 'If-Match': etag } }
  const body = { html, ...(note !== '' && { reason: note }) }
  return dataOf(await siteApi(site).PUT('/pages/{id}/content', { params, body }))
}
