// Turns the roles that a provider's claims give into rights in workspaces.

import type { ProviderPerson } from '../../catalog/identity/provider-person.js'
import type { ClaimedRole } from '../../catalog/identity/provider-settings.js'
import { joinRights, type Rights, type SourcedRights } from '../../model/rights/roles.js'
import type { Services } from '../context/services.js'

type Parts = Pick<Services, 'catalog'>

/** Returns the rights by the id of the workspace. Roles for workspaces or sites that do not exist give nothing. */
export async function claimedRights(
  { catalog }: Parts,
  { issuer, roles }: ProviderPerson,
): Promise<Map<string, Rights>> {
  if (roles.length === 0) return new Map()
  const [only, ...others] = await catalog.workspaces.list()
  const byWorkspace = new Map<string, SourcedRights[]>()
  for (const claimed of roles) {
    const id = claimed.workspace ?? (others.length === 0 ? only?.id : undefined)
    const workspace = id === undefined ? undefined : catalog.workspaces.find(id)
    const sites = workspace === undefined ? [] : sitesOf({ catalog }, workspace.id, claimed)
    // A list of sites of which none exists must not become "all".
    if (workspace === undefined || sites?.length === 0) continue
    const source = `provider ${issuer}`
    byWorkspace.set(workspace.id, [...(byWorkspace.get(workspace.id) ?? []), { role: claimed.role, sites, source }])
  }
  return new Map([...byWorkspace].flatMap(([id, all]) => rightsIn(id, all)))
}

function rightsIn(workspaceId: string, all: readonly SourcedRights[]): [string, Rights][] {
  const joined = joinRights(all)
  return joined === undefined ? [] : [[workspaceId, { role: joined.role, sites: joined.sites }]]
}

function sitesOf({ catalog }: Parts, workspaceId: string, { sites }: ClaimedRole): string[] | null {
  if (sites === null) return null
  return sites.flatMap((word) => {
    const site = catalog.sites.find(workspaceId, word.toLowerCase()) ?? catalog.sites.findBySlug(word)
    return site?.workspaceId === workspaceId ? [site.id] : []
  })
}
