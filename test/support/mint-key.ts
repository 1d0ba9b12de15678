// API keys for tests, made as the operator's command makes them.

import type { Toolset } from '../../src/model/principal.js'
import type { Scope } from '../../src/model/rights/scopes.js'
import { createKey } from '../../src/usecases/access/keys.js'
import { operatorCall } from '../../src/usecases/context/operator.js'
import type { Services } from '../../src/usecases/context/services.js'

export interface KeyWishes {
  scopes?: Scope[]
  label?: string
  sites?: string[] | null
  paths?: string[] | null
  origins?: string[] | null
  toolset?: Toolset | null
  /** May be past: the key is then expired. */
  expiresAt?: string | null
  workspaceId?: string
}

/** Mints a key in the first workspace unless another is given. */
export async function mintTestKey(services: Services, wishes: KeyWishes = {}): Promise<{ key: string; id: string }> {
  const { catalog, clock, newId } = services
  const workspaces = await catalog.workspaces.list(wishes.workspaceId === undefined ? undefined : [wishes.workspaceId])
  const [workspace] = workspaces
  if (workspace === undefined) throw new Error('there is no such workspace')
  const { label = 'Test key', scopes = ['read', 'write'], sites = null, paths = null, expiresAt = null } = wishes
  const { origins = null, toolset = null } = wishes
  const isPast = expiresAt !== null && Date.parse(expiresAt) <= clock().getTime()
  const input = { label, scopes, sites, paths, origins, toolset, expiresAt: isPast ? null : expiresAt }
  const { data } = await createKey({ ...services, ...operatorCall(workspace, 'keys create', newId) }, input)
  if (isPast) await catalog.keys.expire(workspace.id, data.id, expiresAt)
  return { key: data.key, id: data.id }
}
