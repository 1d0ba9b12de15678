// The HTML in the editor and the version it was begun from, kept in the browser while it differs from the published version.

import { useLayoutEffect, useState } from 'preact/hooks'
import { dropDraft, keepDraft, type PageDraft, readDraft } from '../../browser/drafts.js'

/** What is published: a page, or a file of text. */
export interface Published {
  /** Of the draft in this browser. */
  id: string
  etag: string
  html?: string
}

export interface KeptText {
  html: string
  /** Whether it differs from the published version. */
  isChanged: boolean
  /** Entity tag of the version that it was begun from. */
  baseEtag: string
  setBaseEtag: (etag: string) => void
  /** Changes whenever `replace` was called. */
  round: number
  /** Typing. */
  change: (html: string) => void
  /** Shows another text in the editor. */
  replace: (html: string, baseEtag: string) => void
}

export function useKeptText(page: Published): KeptText {
  const published = page.html ?? ''
  const [kept] = useState(() => readDraft<PageDraft>(page.id))
  const [html, setHtml] = useState(kept?.html ?? published)
  const [baseEtag, setBaseEtag] = useState(kept?.etag ?? page.etag)
  const [round, setRound] = useState(0)
  const isChanged = html !== published
  // Before the screen says that it is not published: a reload right after that must find it.
  useLayoutEffect(() => {
    if (!isChanged) dropDraft(page.id)
    else if (!keepDraft(page.id, { html, etag: baseEtag })) warnBeforeUnload()
  }, [html, baseEtag, isChanged])
  const replace = (text: string, etag: string) => {
    setHtml(text)
    setBaseEtag(etag)
    setRound((before) => before + 1)
  }
  return { html, isChanged, baseEtag, setBaseEtag, round, change: setHtml, replace }
}

/** For a browser that stores nothing: leaving is the one case that loses a draft. */
function warnBeforeUnload(): void {
  addEventListener('beforeunload', (event) => event.preventDefault(), { once: true })
}
