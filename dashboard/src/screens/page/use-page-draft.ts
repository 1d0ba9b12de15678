// The draft of a published page: kept in the browser until it is published or discarded, and never published over a version
// that its author has not seen.

import { useEffect, useState } from 'preact/hooks'
import { dataOf, type Page, Refusal, type Site, siteApi } from '../../api/client.js'
import { dropDraft, keepDraft, type PageDraft, readDraft } from '../../browser/drafts.js'
import { notify, notifyFailure } from '../../parts/notices.js'

export interface Draft {
  html: string
  /** Whether it differs from the published version. */
  isChanged: boolean
  note: string
  setNote: (note: string) => void
  /** Changes whenever `html` was replaced by something else than typing. */
  round: number
  change: (html: string) => void
  publish: () => Promise<void>
  /** Shows the page as a change of something else than its HTML left it. */
  adopt: (page: Page) => void
  discard: () => void
  /** The newer version that somebody else published; undefined while there is none. */
  theirs: Page | undefined
  publishOverTheirs: () => Promise<void>
  takeTheirs: () => void
  /** Goes on with the draft beside the newer version; publishing then replaces that version. */
  mergeByHand: () => void
  closeConflict: () => void
  /** The version that the draft is being merged with. */
  merged: Page | undefined
}

export function usePageDraft(site: Site, page: Page, onChanged: (page: Page) => void): Draft {
  const published = page.html ?? ''
  const [kept] = useState(() => readDraft<PageDraft>(page.id))
  const [html, setHtml] = useState(kept?.html ?? published)
  /** The version that the draft was begun from. */
  const [baseEtag, setBaseEtag] = useState(kept?.etag ?? page.etag)
  const [note, setNote] = useState('')
  const [round, setRound] = useState(0)
  const [theirs, setTheirs] = useState<Page>()
  const [merged, setMerged] = useState<Page>()
  const isChanged = html !== published

  useEffect(() => {
    if (!isChanged) dropDraft(page.id)
    else if (!keepDraft(page.id, { html, etag: baseEtag })) warnBeforeUnload()
  }, [html, baseEtag, isChanged])

  const replaceText = (text: string) => {
    setHtml(text)
    setRound((before) => before + 1)
  }
  const settle = (next: Page) => {
    setBaseEtag(next.etag)
    setTheirs(undefined)
    setMerged(undefined)
    setNote('')
    onChanged(next)
  }
  const publishOver = async (etag: string) => {
    try {
      settle({ ...(await replaceContent(site, page.id, { html, note, etag })), html })
      notify('Published.')
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'precondition_failed') notifyFailure(error)
      else await readPage(site, page.id).then(setTheirs, notifyFailure)
    }
  }
  return {
    html,
    isChanged,
    note,
    setNote,
    round,
    change: setHtml,
    async publish() {
      if (isChanged) await publishOver(baseEtag)
      else notify('There is nothing to publish: this is the published version.')
    },
    adopt(next) {
      if (baseEtag === page.etag) setBaseEtag(next.etag)
      onChanged({ ...next, html: published })
    },
    discard() {
      replaceText(published)
      setBaseEtag(page.etag)
      notify('Your changes are discarded.', { label: 'Undo', run: () => replaceText(html) })
    },
    theirs,
    publishOverTheirs: async () => theirs && (await publishOver(theirs.etag)),
    takeTheirs() {
      if (theirs === undefined) return
      replaceText(theirs.html ?? '')
      settle(theirs)
    },
    mergeByHand() {
      if (theirs === undefined) return
      setMerged(theirs)
      setBaseEtag(theirs.etag)
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

async function readPage(site: Site, id: string): Promise<Page> {
  return dataOf(await siteApi(site).GET('/pages/{id}', { params: { path: { id } } }))
}

/** For a browser that stores nothing: leaving is the one case that loses a draft. */
function warnBeforeUnload(): void {
  addEventListener('beforeunload', (event) => event.preventDefault(), { once: true })
}
