// Finds the branches of change requests. Each is named by the id of its request.

import { listRefs } from '../../git/repository/ref.js'
import { isUuid } from '../../model/ids.js'

const HEADS = 'refs/heads/'

/** Lists the ids of the change requests that have a branch in the repository. */
export function branchesOf(drafts: string): string[] {
  return listRefs(drafts, HEADS)
    .map((name) => name.slice(HEADS.length))
    .filter(isUuid)
}
