// Words and rules of change requests for people: how one stands, and what the person may do with it.

import type { ChangeRequest, Me, Site } from '../../api/client.js'
import type { BadgeProps } from '../../parts/states/badge.js'

type State = ChangeRequest['state']

export const STATE_WORDS: Readonly<Record<State, string>> = {
  draft: 'Draft',
  review: 'Waits for review',
  published: 'Published',
  closed: 'Closed',
}

export const STATE_LOOKS: Readonly<Record<State, NonNullable<BadgeProps['state']>>> = {
  draft: 'draft',
  review: 'info',
  published: 'ok',
  closed: 'off',
}

/** Whether the person wrote a part of it, which another person approves where the site asks for that. */
function hasWritten({ makers }: ChangeRequest, me: Me): boolean {
  return makers.some(({ label, userId }) => userId !== null && userId === me.person?.id && label === me.key.label)
}

/** Whether somebody approved its newest commit. */
export function isApproved({ approvals, head }: ChangeRequest): boolean {
  return approvals.some(({ commit }) => commit === head)
}

/** The acts that the person may do. */
export interface MayAct {
  approve: boolean
  publish: boolean
}

export function mayAct(request: ChangeRequest, site: Pick<Site, 'protection'>, me: Me): MayAct {
  const mayWrite = me.scopes.includes('write')
  const isAllowed = site.protection !== 'all' || !hasWritten(request, me)
  const isMine = request.approvals.some(({ commit, userId }) => commit === request.head && userId === me.person?.id)
  return {
    approve: mayWrite && me.person !== null && isAllowed && !isMine,
    publish: mayWrite && (site.protection !== 'all' || isApproved(request)),
  }
}
