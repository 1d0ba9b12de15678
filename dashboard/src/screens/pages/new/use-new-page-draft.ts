// The draft of a new page: the fields of its form. This browser keeps it until the page is created.

import { useState } from 'preact/hooks'
import type { Site } from '../../../api/client.js'
import { dropDraft, keepDraft, type NewPageDraft, readDraft } from '../../../browser/drafts.js'
import { useQuery } from '../../../browser/router.js'
import { notify } from '../../../parts/overlays/notices.js'

/** Used instead of a template's id: the page begins with the HTML of the draft, or with its title alone. */
export const OWN_HTML = 'html'

const EMPTY: NewPageDraft = { path: '', title: '', from: 'article', html: '' }

export function useNewPageDraft(site: Site) {
  const name = `new ${site.id}`
  const wantedPath = useQuery().get('path')
  const [draft, setDraft] = useState<NewPageDraft>(() => {
    const kept = readDraft<NewPageDraft>(name)
    // Drafts of earlier versions have only the HTML.
    const from = (kept?.html ?? '') === '' ? EMPTY.from : OWN_HTML
    return { ...EMPTY, from, ...kept, ...(wantedPath !== null && { path: wantedPath }) }
  })
  const change = (part: Partial<NewPageDraft>) =>
    setDraft((before) => {
      const next = { ...before, ...part }
      keepDraft(name, next)
      return next
    })
  /** Forgets the fields of the created page. HTML that was written but not chosen stays. */
  const settle = () => {
    if (draft.from === OWN_HTML || draft.html === '') dropDraft(name)
    else keepDraft(name, { ...EMPTY, from: OWN_HTML, html: draft.html })
  }
  const restore = () => {
    keepDraft(name, draft)
    setDraft(draft)
  }
  const discard = () => {
    dropDraft(name)
    setDraft(EMPTY)
    notify('The draft is discarded.', { label: 'Undo', run: restore })
  }
  return { draft, isBegun: draft.title !== '' || draft.html !== '', change, settle, discard }
}
