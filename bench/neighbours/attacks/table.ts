// All known attacks, for the bench and for the tests.

import type { Attack } from '../attack.js'
import { AT_SIZE } from './at-size.js'
import { CONNECTIONS_HELD } from './connections.js'
import { GIT_PUSHES } from './git-pushes.js'
import { PUSHES } from './pushes.js'
import { REPOSITORIES } from './repositories.js'
import { REQUESTS } from './requests.js'

export const ATTACKS: readonly Attack[] = [
  ...REQUESTS,
  ...CONNECTIONS_HELD,
  ...PUSHES,
  ...GIT_PUSHES,
  ...REPOSITORIES,
  ...AT_SIZE,
]
