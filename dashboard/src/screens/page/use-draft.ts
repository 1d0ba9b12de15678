// The text of a page that somebody edits, and the draft in the service that holds it. The browser keeps only what the service lacks. What
// somebody else wrote meanwhile is merged with it, and never replaced unseen.

import { useRef, useState } from 'preact/hooks'
import { type ChangeRequest, type Page, Refusal, type Site } from '../../api/client.js'
import { readRequest } from '../../api/requests.js'
import { dropDraft } from '../../browser/drafts.js'
import { findMark } from '../../editor/both-texts.js'
import { notifyFailure } from '../../parts/overlays/notices.js'
import type { OpenPage } from './open-page.js'
import { type Conflicting, saveDraft } from './save-draft.js'
import { type KeptText, useKeptText } from './use-kept-text.js'

export interface SaveOptions {
  /** Tells of no failure. */
  isQuiet?: boolean
  /** Whether the window may close meanwhile. */
  isLeaving?: boolean
  /** Replaces the version with this entity tag, which the person has seen. */
  over?: string
}

export interface Draft extends KeptText {
  /** The change request that holds the text; undefined while the text is as published. */
  request: ChangeRequest | undefined
  note: string
  setNote: (note: string) => void
  /** Saves the text, after a save that is running. Returns the id of the draft; undefined if there is none, or if it failed. */
  save: (options?: SaveOptions) => Promise<string | undefined>
  /** Runs work after the saves before it, and before those after it. */
  inTurn: (work: () => Promise<void>) => Promise<void>
  /** Returns the text that the service has. */
  saved: () => string
  /** Whether the last save failed. */
  isRefused: boolean
  /** The line of the first mark between two texts; the draft is not saved before the person has chosen. */
  markedLine: number | undefined
  /** Shows the page after a change of something other than its HTML. */
  adopt: (page: Page) => void
  /** Goes on with another version of the page, or another request. */
  open: (next: Partial<OpenPage>) => void
  /** The newer version that cannot be merged with the text; undefined if there is none. */
  conflict: Conflicting | undefined
  setConflict: (conflict: Conflicting | undefined) => void
}

interface Editing {
  site: Site
  opened: OpenPage
  onOpened: (opened: OpenPage) => void
}

export function useDraft({ site, opened, onOpened }: Editing): Draft {
  const { page, request } = opened
  // A text that is not in the service yet belongs to the person's own draft, or to the one that was opened.
  const keptAs = request === undefined || request.mine ? page.id : `${page.id} in ${request.id}`
  const text = useKeptText({ ...page, id: keptAs })
  const [note, setNote] = useState('')
  const [conflict, setConflict] = useState<Conflicting>()
  const [isRefused, setRefused] = useState(false)
  const markedLine = text.isChanged ? findMark(text.html) : undefined
  // A save that follows another at once begins with what that one wrote.
  const now = useRef({ ...text, opened })
  now.current = { ...text, opened }
  const open = (next: Partial<OpenPage>) => {
    const after = { ...now.current.opened, ...next }
    now.current = { ...now.current, opened: after }
    onOpened(after)
  }
  const write = async ({ isQuiet = false, isLeaving = false, over }: SaveOptions): Promise<string | undefined> => {
    const { html, baseEtag, opened: before } = now.current
    const change = { html, etag: over ?? baseEtag, isOver: over !== undefined, isLeaving, request: before.request?.id }
    try {
      const outcome = await saveDraft(site, page, change)
      setRefused(outcome.is === 'conflict')
      // Nobody is interrupted while writing: the next act of the person asks.
      if (!isQuiet) setConflict(outcome.is === 'conflict' ? outcome : undefined)
      if (outcome.is === 'conflict') return undefined
      text.settle(html, outcome.page)
      const isSame = outcome.page.html === html
      // A screen that was left meanwhile forgets nothing by itself.
      if (isSame && now.current.html === html) dropDraft(keptAs)
      if (isSame) now.current = { ...now.current, baseEtag: outcome.page.etag, isChanged: now.current.html !== html }
      const isNew = outcome.request !== before.request?.id
      const found = isNew && outcome.request !== undefined ? await readRequest(outcome.request) : before.request
      open({ page: outcome.page, request: found })
      return outcome.request
    } catch (error) {
      setRefused(true)
      if (isQuiet && !isOfAnother(error)) return undefined
      notifyFailure(error)
      return undefined
    }
  }
  const running = useRef<Promise<unknown>>(Promise.resolve())
  return {
    ...text,
    request,
    note,
    setNote,
    isRefused,
    markedLine,
    save(options = {}) {
      const saving = running.current.then(async () =>
        now.current.isChanged || options.over !== undefined ? await write(options) : now.current.opened.request?.id,
      )
      running.current = saving
      return saving
    },
    inTurn(work) {
      const done = running.current.then(work)
      // The caller hears of a failure; the next save goes on.
      running.current = done.catch(() => undefined)
      return done
    },
    saved: () => now.current.opened.page.html ?? '',
    adopt(next) {
      if (text.baseEtag === page.etag) text.setBaseEtag(next.etag)
      open({ page: { ...next, html: page.html ?? '' } })
    },
    open,
    conflict,
    setConflict,
  }
}

/** Whether the draft ended, or the person may no longer write: a person must hear of it at once. */
function isOfAnother(error: unknown): boolean {
  return (
    error instanceof Refusal &&
    ['change_request_closed', 'change_request_not_found', 'insufficient_scope'].includes(error.code)
  )
}
