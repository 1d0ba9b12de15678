// The commands of the package palimpsest-cli, which need only the address of a service and a key. The service's package has them too.

import { addDiff } from './authors/diff.js'
import { addMove } from './authors/move.js'
import { addOpen } from './authors/open.js'
import { addPages } from './authors/pages.js'
import { addPublish } from './authors/publish.js'
import { addPull } from './authors/pull.js'
import { addRemove } from './authors/remove.js'
import { addRollback } from './authors/rollback.js'
import { addVersions } from './authors/versions.js'
import { addCompleteNames } from './complete-names.js'
import { addCompletion } from './completion.js'
import { addDev } from './dev/dev.js'
import { addLogin } from './login.js'
import type { CommandGroup } from './program.js'
import { addMirror } from './remotes/mirror.js'
import { addChanges } from './site/changes.js'
import { addChecks } from './site/checks.js'
import { addHistory } from './site/history.js'
import { addLink } from './site/link.js'
import { addSearch } from './site/search.js'
import { addStatus } from './site/status.js'
import { addUndo } from './site/undo.js'
import { addWhoami } from './site/whoami.js'

export const AUTHOR_COMMANDS: readonly CommandGroup[] = [
  { heading: 'Publish:', commands: [addDev, addPublish, addChanges, addMove, addRemove, addRollback, addUndo] },
  { heading: 'Look:', commands: [addPages, addHistory, addVersions, addDiff, addSearch, addChecks, addOpen, addPull] },
  {
    heading: 'Set up:',
    commands: [addLogin, addWhoami, addLink, addStatus, addMirror, addCompletion, addCompleteNames],
  },
]
