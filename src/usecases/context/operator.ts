// The operator at the command line: a principal that may do everything in the workspace that the command names. It calls the use cases as
// API requests do.

import type { Workspace } from '../../catalog/workspaces.js'
import type { MakeId } from '../../model/clock.js'
import type { Call } from './call.js'

/** Makes the call of a command. `command` takes the place of a request's route: `keys create`. */
export function operatorCall(workspace: Workspace, command: string, newId: MakeId): Call {
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
