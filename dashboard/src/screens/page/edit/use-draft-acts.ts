// The acts on a draft: publish it, now or at a time, ask others to review it, approve it, and delete it.

import type { ChangeRequest, Site } from '../../../api/client.js'
import { approve, changeRequest, publishRequest, readRequest } from '../../../api/requests.js'
import { navigate } from '../../../browser/router.js'
import { useOneAtATime } from '../../../browser/use-one-at-a-time.js'
import { chooseFirst } from '../../../editor/both-texts.js'
import { notify, notifyFailure } from '../../../parts/overlays/notices.js'
import { useMay } from '../../../parts/rights/allowed.js'
import type { Planning } from '../../reviews/schedule/publish-at.js'
import { isApproved } from '../../reviews/words.js'
import type { OpenPage } from '../open-page.js'
import { readPage } from '../read-page.js'
import type { Draft } from '../use-draft.js'
import { bringPast, readLiveConflict } from './live-conflict.js'

export type Act = 'Publish' | 'Publish at…' | 'Ask for review' | 'Approve and publish' | 'Approve, publish at…'

interface Acting {
  site: Site
  opened: OpenPage
  draft: Draft
  onPlan: (plan: Plan) => void
}

/** A draft for which the person chooses a time. */
export interface Plan {
  request: ChangeRequest
  how: Planning
}

interface DraftActs {
  /** The acts that the person may do now, the main one first. */
  acts: readonly Act[]
  run: (act: Act) => Promise<void>
  saveNow: () => Promise<void>
  /** Deletes the draft, and shows the live page; it can be undone. */
  end: () => Promise<void>
}

export function useDraftActs({ site, opened, draft, onPlan }: Acting): DraftActs {
  const may = useMay()
  const { page } = opened
  const acts = actsFor(site, draft, may('write'))
  const showLive = async () => {
    const live = await readPage(site, page.id)
    draft.settle(draft.saved(), live)
    draft.setConflict(undefined)
    draft.setNote('')
    draft.open({ page: live, request: undefined })
    // The address names a draft that has ended.
    if (location.search !== '') navigate(location.pathname, { replace: true })
  }
  const publish = async (id: string) => {
    try {
      await publishRequest(id, { title: draft.note })
      await showLive()
      notify('Published.')
    } catch (error) {
      const conflict = await readLiveConflict(site, page, error)
      if (conflict === undefined) throw error
      draft.setConflict(conflict)
    }
  }
  const run = useOneAtATime(async (act: Act) => {
    if (draft.markedLine !== undefined) return notifyFailure(chooseFirst(draft.markedLine))
    try {
      const id = await draft.save()
      if (id === undefined)
        return draft.isChanged ? undefined : notify('There is nothing to publish: this is the live version.')
      if (act === 'Ask for review') return await askForReview(id)
      if (act === 'Publish at…' || act === 'Approve, publish at…')
        return onPlan({ request: await readRequest(id), how: howToPlan(act, acts) })
      if (act === 'Approve and publish' && draft.request?.head != null) await approve(id, draft.request.head)
      await bringPast(site, page, id)
      await draft.inTurn(() => publish(id))
    } catch (error) {
      notifyFailure(error)
    }
  })
  const askForReview = async (id: string) => {
    const request = await changeRequest(id, { state: 'review', title: draft.note })
    draft.setNote('')
    draft.open({ request })
    notify('Others find it among the reviews now.')
  }
  const saveNow = useOneAtATime(async () => {
    if (draft.markedLine !== undefined) return notifyFailure(chooseFirst(draft.markedLine))
    const hadChanged = draft.isChanged
    const id = await draft.save()
    if (id !== undefined) notify('The draft is saved.')
    else if (!hadChanged) notify('There is nothing to save: this is the published version.')
  })
  const end = useOneAtATime(async () => {
    const { html, baseEtag, request } = draft
    try {
      if (request !== undefined) await changeRequest(request.id, { state: 'closed' })
      const live = await readPage(site, page.id).catch(() => undefined)
      const undo = { label: 'Undo', run: () => void takeBack(request) }
      if (live === undefined) return leaveWith(undo)
      draft.replace(live.html ?? '', live.etag)
      draft.open({ page: live, request: undefined })
      notify('The draft is deleted.', undo)
    } catch (error) {
      notifyFailure(error)
    }
    async function takeBack(before: ChangeRequest | undefined) {
      try {
        const reopened =
          before && (await changeRequest(before.id, { state: before.state === 'review' ? 'review' : 'draft' }))
        if (reopened !== undefined) return navigate(`/sites/${site.slug}/pages/${page.id}?changeRequest=${reopened.id}`)
        draft.replace(html, baseEtag)
      } catch (error) {
        notifyFailure(error)
      }
    }
    function leaveWith(undo: { label: string; run: () => void }) {
      notify('The draft is deleted.', undo)
      navigate(`/sites/${site.slug}`)
    }
  })
  return { acts, run, saveNow, end }
}

function actsFor(site: Site, { request, isChanged }: Draft, mayPublish: boolean): readonly Act[] {
  const isWaiting = request?.state === 'review'
  const ask: readonly Act[] = isWaiting ? [] : ['Ask for review']
  // A text that is not saved yet is in no commit that somebody approved.
  const isClear = site.protection !== 'all' || (request !== undefined && isApproved(request) && !isChanged)
  if (mayPublish && isClear) return ['Publish', 'Publish at…', ...ask]
  if (mayPublish && isWaiting && !request.mine) return ['Approve and publish', 'Approve, publish at…']
  return isWaiting ? [] : [...ask, 'Publish at…']
}

function howToPlan(act: Act, acts: readonly Act[]): Planning {
  if (act === 'Approve, publish at…') return 'approve'
  return acts.includes('Publish') ? 'set' : 'ask'
}
