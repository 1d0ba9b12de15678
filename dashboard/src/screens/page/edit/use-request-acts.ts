// Saves a draft while it is written, and publishes, proposes or deletes it.

import { useEffect, useState } from 'preact/hooks'
import type { ChangeRequest, Page, Site } from '../../../api/client.js'
import { navigate } from '../../../browser/router.js'
import { useOneAtATime } from '../../../browser/use-one-at-a-time.js'
import { bothIn, chooseFirst } from '../../../editor/both-texts.js'
import { notify, notifyFailure } from '../../../parts/overlays/notices.js'
import { useMay } from '../../../parts/rights/allowed.js'
import type { Draft } from '../use-page-draft.js'
import { approve, changeRequest, publishRequest } from './propose.js'

/** The pause in the typing after which the text is saved. */
const PAUSE_MS = 2000

export type Act = 'Publish' | 'Propose' | 'Approve and publish'

interface Acting {
  site: Site
  page: Page
  request: ChangeRequest
  draft: Draft
  onRequestChanged: (request: ChangeRequest) => void
}

interface RequestActs {
  /** Undefined if the person can do nothing but write. */
  act: Act | undefined
  run: () => Promise<void>
  /** Deletes the draft; it can be undone. */
  end: () => Promise<void>
  /** Says whether the text is saved. */
  state: string
}

export function useRequestActs({ site, page, request, draft, onRequestChanged }: Acting): RequestActs {
  const may = useMay()
  const state = useSaving(draft)
  const act = actFor(site, request, may('write'))
  const run = useOneAtATime(async () => {
    if (draft.markedLine !== undefined) return notifyFailure(chooseFirst(draft.markedLine))
    if (!(await draft.save())) return
    try {
      if (act === 'Propose') return onRequestChanged(await proposeDraft(request, draft.note))
      if (act === 'Approve and publish' && request.head !== null) await approve(request.id, request.head)
      await publishRequest(request.id, draft.note)
      notify(`${page.url} is live.`)
      navigate(`/sites/${site.slug}/pages/${page.id}`, { replace: true })
    } catch (error) {
      notifyFailure(error)
    }
  })
  const end = useOneAtATime(async () => {
    try {
      await changeRequest(request.id, { state: 'closed' })
      notify('The draft is deleted.', { label: 'Undo', run: () => void reopen(site, page, request) })
      navigate(`/sites/${site.slug}`)
    } catch (error) {
      notifyFailure(error)
    }
  })
  return { act, run, end, state }
}

/** Saves the text after each pause, and says how far that is. */
function useSaving({ html, isChanged, markedLine, conflict, save }: Draft): string {
  const [isRefused, setRefused] = useState(false)
  const isReady = isChanged && markedLine === undefined && conflict === undefined
  useEffect(() => {
    if (!isReady) return undefined
    const timer = setTimeout(() => void save(true).then((isSaved) => setRefused(!isSaved)), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [html, isReady])
  if (markedLine !== undefined) return bothIn(markedLine)
  if (!isChanged) return 'Saved'
  return isRefused ? 'Not saved; kept in this browser' : 'Saving…'
}

function actFor(site: Site, { state, mine }: ChangeRequest, mayPublish: boolean): Act | undefined {
  if (mayPublish && site.protection !== 'all') return 'Publish'
  if (mayPublish && state === 'review' && !mine) return 'Approve and publish'
  return state === 'draft' ? 'Propose' : undefined
}

async function proposeDraft(request: ChangeRequest, note: string): Promise<ChangeRequest> {
  const next = await changeRequest(request.id, { state: 'review', ...(note !== '' && { title: note }) })
  notify('Proposed. Others find it at this address.')
  return next
}

async function reopen(site: Site, page: Page, request: ChangeRequest): Promise<void> {
  try {
    await changeRequest(request.id, { state: request.state === 'review' ? 'review' : 'draft' })
    navigate(`/sites/${site.slug}/pages/${page.id}?changeRequest=${request.id}`)
  } catch (error) {
    notifyFailure(error)
  }
}
