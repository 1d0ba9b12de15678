// Lists the work of the service that runs and waits, for its health.

import type { WorkRow } from '../admission/figures.js'
import type { ThreadGate } from '../admission/thread-gate.js'
import type { Services } from '../usecases/context/services.js'
import type { GitFigures } from './git.js'

interface Parts {
  services: Pick<Services, 'imports' | 'indexFollower' | 'longTasks' | 'store' | 'tasks'>
  gate: ThreadGate
  git: GitFigures
}

export function workOf({ services, gate, git }: Parts): WorkRow[] {
  const { imports, indexFollower, longTasks, store, tasks } = services
  const { writes, maintenance } = store.figures
  const { fetches, pushes } = git()
  return [
    { name: 'turn', ...gate.figures },
    { name: 'tasks', ...tasks.figures },
    { name: 'long-tasks', ...longTasks.figures },
    { name: 'writes', ...writes },
    { name: 'index', ...indexFollower.figures },
    { name: 'git-fetches', ...fetches },
    { name: 'git-pushes', ...pushes },
    { name: 'imports', ...imports.figures },
    { name: 'maintenance', ...maintenance },
  ]
}
