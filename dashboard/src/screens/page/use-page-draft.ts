// The text of a page that somebody edits. The browser keeps it until it is published, saved in a change request, or discarded. What somebody
// else wrote meanwhile is merged with it, and never replaced unseen.

import { useRef, useState } from 'preact/hooks'
import type { Page, Site } from '../../api/client.js'
import { navigate } from '../../browser/router.js'
import { useOneAtATime } from '../../browser/use-one-at-a-time.js'
import { chooseFirst, findMark } from '../../editor/both-texts.js'
import { formatNames } from '../../format.js'
import { notify, notifyFailure } from '../../parts/overlays/notices.js'
import { type Conflicting, mergedHistoryOf, publishChange, type Written } from './publish-change.js'
import { type KeptText, useKeptText } from './use-kept-text.js'

export interface Draft extends KeptText {
  note: string
  setNote: (note: string) => void
  publish: () => Promise<void>
  /** Saves the text in the change request, after a save that is running. Returns whether it is there. A quiet one tells of no failure. */
  save: (isQuiet?: boolean) => Promise<boolean>
  isOfRequest: boolean
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

interface Editing {
  site: Site
  page: Page
  onChanged: (page: Page) => void
  /** The change request that the page is of. */
  request?: string
}

export function usePageDraft({ site, page, onChanged, request }: Editing): Draft {
  const text = useKeptText({ ...page, id: request === undefined ? page.id : `${page.id} in ${request}` })
  const { html, isChanged, baseEtag } = text
  const [note, setNote] = useState('')
  const [conflict, setConflict] = useState<Conflicting>()
  const markedLine = isChanged ? findMark(html) : undefined
  // A save that follows another at once begins with what that one wrote.
  const now = useRef({ html, baseEtag, isChanged })
  now.current = { html, baseEtag, isChanged }
  const settle = (next: Page) => {
    setConflict(undefined)
    if (request === undefined) setNote('')
    onChanged(next)
  }
  const write = async (over: string | undefined, isQuiet: boolean): Promise<boolean> => {
    const sent = now.current.html
    const etag = over ?? now.current.baseEtag
    try {
      const message = request === undefined ? note : ''
      const change = { html: sent, note: message, etag, isOver: over !== undefined, request }
      const outcome = await publishChange(site, page, change)
      if (outcome.is === 'conflict') setConflict(outcome)
      if (outcome.is === 'unpublished') {
        notifyFailure(`Somebody else unpublished ${page.path} meanwhile. Your draft is kept.`)
        onChanged(outcome.page)
      }
      if (outcome.is !== 'published') return false
      if (outcome.page.html === sent)
        now.current = { ...now.current, baseEtag: outcome.page.etag, isChanged: now.current.html !== sent }
      text.settle(sent, outcome.page)
      settle(outcome.page)
      if (request === undefined) tell(site, page, outcome)
      return true
    } catch (error) {
      if (!isQuiet) notifyFailure(error)
      return false
    }
  }
  const running = useRef(Promise.resolve(true))
  const publishOver = useOneAtATime(async (over: string | undefined) => void (await write(over, false)))
  return {
    ...text,
    note,
    setNote,
    markedLine,
    isOfRequest: request !== undefined,
    async publish() {
      if (!isChanged) notify('There is nothing to publish: this is the published version.')
      else if (markedLine === undefined) await publishOver(undefined)
      else notifyFailure(chooseFirst(markedLine))
    },
    save(isQuiet = false) {
      running.current = running.current.then(async () => !now.current.isChanged || (await write(undefined, isQuiet)))
      return running.current
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
    publishOverTheirs: async () => conflict && (await publishOver(conflict.theirs.etag)),
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

function tell(site: Site, page: Page, { mergedWith }: Written): void {
  if (mergedWith.length === 0) return notify('Published.')
  const names = formatNames(mergedWith.map(({ author }) => author))
  notify(`Published together with changes by ${names}.`, {
    label: 'See them',
    run: () => navigate(mergedHistoryOf(site, page, mergedWith)),
  })
}
