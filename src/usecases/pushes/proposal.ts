// A push to refs/for/main. It makes a change request, or adds to one.

import type { ChangeRequest } from '../../catalog/requests/change-requests.js'
import type { Oid } from '../../git/objects/oid.js'
import type { RefChange } from '../../git/objects/ref-change.js'
import { isUuid } from '../../model/ids.js'
import { refusal } from '../../repository/pushing/judge/push-messages.js'
import { isProposal } from '../../repository/pushing/judge/ref-rules.js'
import type { SiteCall } from '../context/call.js'
import { isOpen } from '../context/change-request.js'
import { scopesIn } from '../context/target.js'
import { maySee } from '../protection/request-author.js'
import type { PushOptions } from './push-options.js'

export interface Proposal {
  tip: Oid
  /** The number or the id of the change request to add to; undefined for a new one. */
  request: string | undefined
  /** The name that it is given. */
  title: string | undefined
}

/** The command that proposes what is checked out. */
export const PROPOSE = 'git push <remote> HEAD:refs/for/main'
const REF = /^refs\/for\/main(?:\/(.+))?$/
const NUMBER = /^[1-9]\d{0,8}$/

/** Returns why the ref of a proposal is refused, whatever it brings. */
export function whyNoProposal({ ref, after }: RefChange, commandCount: number): string | undefined {
  if (!REF.test(ref)) return `a change request is made by refs/for/main: ${PROPOSE}`
  if (after === null) return 'palimpsest changes close <number> ends a change request; a push cannot'
  return commandCount > 1 ? 'push it alone: a change request is published later than other refs' : undefined
}

/** Reads what is proposed; undefined if nothing is. Throws PushRefused for two names of the change request. */
export function proposalIn(
  commands: readonly RefChange[],
  { title, changeRequest }: Pick<PushOptions, 'title' | 'changeRequest'>,
): Proposal | undefined {
  const command = commands.find(({ ref }) => isProposal(ref))
  if (command?.after == null) return undefined
  const [, named] = REF.exec(command.ref) ?? []
  if (named !== undefined && changeRequest !== undefined && named !== changeRequest)
    throw refusal(`${command.ref} and changeRequest=… name different change requests: leave out one.`)
  const request = named ?? changeRequest
  return { tip: command.after, request: request === 'new' ? undefined : request, title }
}

/** Finds the change request to add to; undefined for a new one. Throws PushRefused if the pusher sees none of this name, or it has ended. */
export function findProposed(
  { catalog, principal, site }: Pick<SiteCall<'catalog'>, 'catalog' | 'principal' | 'site'>,
  { request }: Proposal,
): ChangeRequest | undefined {
  if (request === undefined) return undefined
  const { changeRequests } = catalog
  const row = isUuid(request)
    ? changeRequests.find(request.toLowerCase())
    : NUMBER.test(request)
      ? changeRequests.findByNumber(site.id, Number(request))
      : undefined
  const scopes = scopesIn({ catalog }, principal, site.workspaceId)
  if (row?.siteId !== site.id || !maySee(row, principal, scopes))
    throw refusal(`this site has no change request of that name: palimpsest changes lists them. New: ${PROPOSE}`)
  if (!isOpen(row)) throw refusal(`change request ${row.number} is closed or published. New: ${PROPOSE}`)
  return row
}
