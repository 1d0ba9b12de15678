// The people of the test of time, in two workspaces that share some of them.

import type { Role } from '../../../../src/model/rights/roles.js'
import { signInAs, type SignedIn } from '../../../support/people/sign-in-as.js'
import type { TestService } from '../../../support/service.js'

export interface World {
  /** The workspace in which everything is made, and its service. */
  here: TestService
  elsewhere: TestService
  /** Its owner, whose rights never change. */
  hanna: SignedIn
  /** A second site here. */
  otherSite: string
  /** A registered program. */
  clientId: string
}

/** New people for one case. */
export interface People {
  /** An owner here, who makes something and then loses a right. */
  maker: SignedIn
  /** An editor here, to whom the maker lends. */
  borrower: SignedIn
}

export async function meet({ here }: World): Promise<People> {
  return {
    maker: await signInAs(here, 'owner', { name: 'Max' }),
    borrower: await signInAs(here, 'editor', { name: 'Kim' }),
  }
}

/** Makes a person a member elsewhere. */
export async function joinElsewhere({ elsewhere }: World, { userId }: SignedIn, role: Role): Promise<void> {
  const { members } = elsewhere.server.service.services.catalog
  const { workspaceId } = elsewhere
  await members.give({ workspaceId, userId, role, sites: null, source: 'invitation' })
}
