// The operator at the command line: a principal that uses the use cases as API requests do, and may do everything in the workspace that the
// command names.

import type { Workspace } from '../../catalog/workspaces.js'
import type { MakeId } from '../../model/clock.js'
import type { RequestContext } from './request-context.js'

/** Makes the context of a command. `command` takes the place of a request's route: `keys create`. */
export function operatorContext(workspace: Workspace, command: string, newId: MakeId): RequestContext {
  return {
    principal: {
      kind: 'operator',
      id: 'operator',
      label: 'Operator',
      workspaceId: workspace.id,
      scopes: ['admin'],
      sites: null,
      expiresAt: null,
    },
    target: { workspace, scopes: ['read', 'write', 'admin'], site: undefined },
    requestId: newId(),
    route: command,
    hold: () => Promise.resolve(),
  }
}
