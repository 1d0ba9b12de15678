// The draft of a published page. The browser keeps it until it is published or discarded. What somebody else published meanwhile is
// merged with it, and never published over unseen.

import { useState } from 'preact/hooks'
import type { Page, Site } from '../../api/client.js'
import { navigate } from '../../browser/router.js'
import { useOneAtATime } from '../../browser/use-one-at-a-time.js'
import { chooseFirst, findMark } from '../../editor/both-texts.js'
import { formatNames } from '../../format.js'
import { notify, notifyFailure } from '../../parts/notices.js'
import { type Change, type Conflicting, mergedHistoryOf, publishChange } from './publish-change.js'
import { type KeptText, useKeptText } from './use-kept-text.js'

export interface Draft extends KeptText {
  note: string
  setNote: (note: string) => void
  publish: () => Promise<void>
  /** The line of the first mark between two texts; the draft is not published before the person has chosen. */
  markedLine: number | undefined
  /** Shows the page after a change of something other than its HTML. */
  adopt: (page: Page) => void
  discard: () => void
  /** The newer version that cannot be merged with the draft; undefined if there is none. */
  conflict: Conflicting | undefined
  publishOverTheirs: () => Promise<void>
  takeTheirs: () => void
  /** Puts both texts into the editor, with marks. Publishing then replaces the newer version. */
  takeBoth: () => void
  closeConflict: () => void
}

export function usePageDraft(site: Site, page: Page, onChanged: (page: Page) => void): Draft {
  const text = useKeptText(page)
  const { html, isChanged, baseEtag } = text
  const [note, setNote] = useState('')
  const [conflict, setConflict] = useState<Conflicting>()
  const markedLine = isChanged ? findMark(html) : undefined
  const settle = (next: Page) => {
    setConflict(undefined)
    setNote('')
    onChanged(next)
  }
  const publishOver = useOneAtATime(async (change: Pick<Change, 'etag' | 'isOver'>) => {
    try {
      const outcome = await publishChange(site, page, { html, note, ...change })
      if (outcome.is === 'conflict') return setConflict(outcome)
      if (outcome.is === 'unpublished') {
        notifyFailure(`Somebody else unpublished ${page.path} meanwhile. Your draft is kept.`)
        return onChanged(outcome.page)
      }
      const { page: next, mergedWith } = outcome
      text.settle(html, next)
      settle(next)
      if (mergedWith.length === 0) return notify('Published.')
      const names = formatNames(mergedWith.map(({ author }) => author))
      notify(`Published together with changes by ${names}.`, {
        label: 'See them',
        run: () => navigate(mergedHistoryOf(site, page, mergedWith)),
      })
    } catch (error) {
      notifyFailure(error)
    }
  })
  return {
    ...text,
    note,
    setNote,
    markedLine,
    async publish() {
      if (!isChanged) notify('There is nothing to publish: this is the published version.')
      else if (markedLine === undefined) await publishOver({ etag: baseEtag, isOver: false })
      else notifyFailure(chooseFirst(markedLine))
    },
    adopt(next) {
      if (baseEtag === page.etag) text.setBaseEtag(next.etag)
      onChanged({ ...next, html: page.html ?? '' })
    },
    discard() {
      text.replace(page.html ?? '', page.etag)
      notify('Your changes are discarded.', { label: 'Undo', run: () => text.replace(html, baseEtag) })
    },
    conflict,
    publishOverTheirs: async () => conflict && (await publishOver({ etag: conflict.theirs.etag, isOver: true })),
    takeTheirs() {
      if (conflict === undefined) return
      text.replace(conflict.theirs.html ?? '', conflict.theirs.etag)
      settle(conflict.theirs)
    },
    takeBoth() {
      if (conflict?.both === undefined) return
      text.replace(conflict.both, conflict.theirs.etag)
      setConflict(undefined)
      onChanged(conflict.theirs)
    },
    closeConflict: () => setConflict(undefined),
  }
}
