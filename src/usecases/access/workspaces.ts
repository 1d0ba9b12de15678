// The workspaces that a key can see, and the key itself.

import type { MeData, WorkspaceData } from '../../../schemas/sites.js'
import type { Workspace } from '../../catalog/workspaces.js'
import type { Call } from '../context/call.js'
import { DEFAULT_LIMIT, type SliceInput } from '../context/input.js'
import type { Result } from '../context/result.js'
import { takeSlice } from '../context/slice.js'
import { workspacesOpened } from './authenticate-session.js'
import { scopesIn, sitesInView } from '../context/target.js'

/** Lists the key's own workspace, those that granted it a scope, and those that have a person as a member; the oldest first. */
export async function listWorkspaces(call: Call<'catalog'>, input: SliceInput): Promise<Result<WorkspaceData[]>> {
  const { principal } = call
  const { workspaces, grants } = call.catalog
  const granted = grants.grantsTo(principal.workspaceId).map(({ workspaceId }) => workspaceId)
  const seen = [principal.workspaceId, ...granted].filter((id) => scopesIn(call, principal, id).length > 0)
  seen.push(...workspacesOpened(call, principal))
  const { rows, nextCursor } = takeSlice(
    'accounts',
    await workspaces.list([...new Set(seen)]),
    ({ createdAt, id }) => `${createdAt} ${id}`,
    { cursor: input.cursor, limit: input.limit ?? DEFAULT_LIMIT },
  )
  return { data: rows.map((row) => toWorkspaceData(call, row)), nextCursor }
}

/** Tells the key and its limits. */
export async function getMe(call: Call<'catalog'>): Promise<Result<MeData>> {
  const { principal, target } = call
  const { kind, id, label, sites, paths, expiresAt, toolset = null, person = null, client = null } = principal
  const key = {
    id,
    label,
    sites: sites && [...sites],
    siteSlugs: sites && (await sitesInView(call)).map(({ slug }) => slug),
    paths: paths === undefined ? null : [...paths],
    expiresAt,
    toolset,
  }
  return {
    data: {
      key,
      kind,
      person,
      client,
      isBorrowed: principal.lentBy !== undefined,
      workspace: toWorkspaceData(call, target.workspace),
      scopes: [...target.scopes],
    },
  }
}

/** Hides a default site that the key may not see. */
function toWorkspaceData({ principal }: Call, workspace: Workspace): WorkspaceData {
  const { id, name, defaultSiteId, createdAt } = workspace
  const isHidden = principal.sites !== null && defaultSiteId !== null && !principal.sites.includes(defaultSiteId)
  return { id, name, defaultSiteId: isHidden ? null : defaultSiteId, createdAt }
}
