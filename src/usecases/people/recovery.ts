// Lets an owner bring a member back in who lost every way to sign in.

import type { MemberLinkData } from '../../../schemas/account.js'
import { toSeconds, toTimestamp } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { mayLend } from '../access/loans.js'
import { makeSignInToken } from '../access/sign-in.js'
import { recordAudit } from '../context/audit.js'
import type { ResourceId } from '../context/input.js'
import type { RequestContext } from '../context/request-context.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { personOfSession } from './account.js'
import { findMember } from './members.js'
import { isOwner } from './roles.js'

/** Long enough to reach somebody in another time zone. */
const LINK_SECONDS = 24 * 3600

/**
 * Makes a link that signs a member in to this workspace alone, once. The member's other ways to sign in stay. It ends with the role of the
 * owner. Throws `member_not_found`, `forbidden_role`, `borrowed_session`, and `conflict` for a member of a workspace that
 * the owner does not own.
 */
export async function makeMemberLink(
  services: Pick<Services, 'catalog' | 'clock' | 'baseUrl'>,
  context: RequestContext,
  input: ResourceId,
): Promise<Result<MemberLinkData>> {
  const { catalog, clock, baseUrl } = services
  const { principal, target } = context
  const { userId, name } = await findMember(catalog, context, input.id)
  if (!isOwner(principal) || principal.person === undefined)
    throw new ServiceError('forbidden_role', 'Only an owner who is signed in makes such a link: ask an owner.')
  const loan = { workspaceId: target.workspace.id, makerIds: [personOfSession(context).id] }
  if (!mayLend(catalog, loan, userId))
    throw new ServiceError(
      'conflict',
      'This person is also a member of a workspace that you do not own: have the operator run "palimpsest login-link".',
    )
  const token = await makeSignInToken(services, target.workspace.id, { userId, loan }, LINK_SECONDS)
  const expiresAt = toTimestamp(toSeconds(clock()) + LINK_SECONDS)
  await recordAudit(services, context, {
    action: 'member.sign_in_link',
    target: `user ${userId}`,
    details: { expiresAt },
    personal: { about: name },
  })
  return { data: { url: `${baseUrl}/sign-in#${token}`, expiresAt } }
}
