// The HTML in the editor and the version it started from. The browser keeps it while it differs from the published version.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { dropDraft, keepDraft, type PageDraft, readDraft } from '../../browser/drafts.js'

/** The published version: a page, or a text file. */
export interface Published {
  /** Id of the draft in this browser. */
  id: string
  etag: string
  html?: string
}

export interface KeptText {
  html: string
  /** Whether it differs from the published version. */
  isChanged: boolean
  /** Entity tag of the version that the text started from. */
  baseEtag: string
  setBaseEtag: (etag: string) => void
  /** Changes with each call of `replace`. */
  round: number
  /** Called while the person types. */
  change: (html: string) => void
  /** Shows another text in the editor. */
  replace: (html: string, baseEtag: string) => void
  /** Continues with the version that came of the text `sent`. What was typed meanwhile stays. */
  settle: (sent: string, next: { html?: string; etag: string }) => void
}

export function useKeptText(page: Published): KeptText {
  const published = page.html ?? ''
  const [kept] = useState(() => readDraft<PageDraft>(page.id))
  const [html, setHtml] = useState(kept?.html ?? published)
  const [baseEtag, setBaseEtag] = useState(kept?.etag ?? page.etag)
  const [round, setRound] = useState(0)
  const isChanged = html !== published
  const latest = useRef(html)
  latest.current = html
  // Stores the draft before the screen calls it unpublished: a reload right after that must find it.
  useLayoutEffect(() => {
    if (!isChanged) dropDraft(page.id)
    else if (!keepDraft(page.id, { html, etag: baseEtag })) warnBeforeUnload()
  }, [html, baseEtag, isChanged])
  const replace = (text: string, etag: string) => {
    setHtml(text)
    setBaseEtag(etag)
    setRound((before) => before + 1)
  }
  const settle: KeptText['settle'] = (sent, next) => {
    if (next.html === sent) setBaseEtag(next.etag)
    // Text typed meanwhile lacks the lines of the others: it still begins with the earlier version.
    else if (latest.current === sent) replace(next.html ?? '', next.etag)
  }
  return { html, isChanged, baseEtag, setBaseEtag, round, change: setHtml, replace, settle }
}

/** Warns before leaving, if the browser stores nothing: only then does leaving lose a draft. */
function warnBeforeUnload(): void {
  addEventListener('beforeunload', (event) => event.preventDefault(), { once: true })
}
