// Applies one operation to a site's state.

import { ServiceError } from '../../model/errors.js'
import { endTakenAddresses } from '../staging/former-addresses.js'
import type { SiteState } from '../staging/site-state.js'
import type { Operation, Write } from '../protocol/write.js'
import { refuseEdits, refuseTargets } from './allowed-paths.js'
import { replacePage, retitlePage, rollbackPage, unpublishPage } from './change-page.js'
import { applyChangeSet } from './change-set.js'
import { deleteCollection, deleteRecord, putCollection, putRecord } from './collections.js'
import { publishDeploy } from './deploy.js'
import { moveFolder, movePage } from './move-pages.js'
import { deleteFile, moveFile, putFile, rollbackFile } from './files.js'
import type { Outcome } from './outcome.js'
import { publishPage } from './publish-page.js'
import { mergeBranch, revertCommits } from './prepared-merges.js'
import { refuseBeyondQuota } from './quota.js'

/**
 * Stages the edits of the write's operation, or throws a ServiceError and leaves nothing staged. Holds the write to the paths that its
 * author may write to, and to the quotas of its workspace.
 */
export function applyOperation(
  state: SiteState,
  write: Pick<Write, 'operation' | 'paths' | 'packs' | 'quotaUse'>,
): Outcome {
  const { operation, paths, packs = [], quotaUse } = write
  try {
    if (paths !== undefined) refuseTargets(operation, paths)
    const outcome = dispatch(state, operation)
    if (paths !== undefined) refuseEdits(state, operation, outcome, paths)
    // A consequence of what is allowed. Those of a deploy are ended outside of the writer.
    if (outcome.touched === undefined) endTakenAddresses(state.tree, state.tree.editedPaths)
    if (quotaUse !== undefined && outcome.subject !== null) refuseBeyondQuota(state, operation, quotaUse, packs)
    return outcome
  } catch (error) {
    state.tree.discard()
    throw error
  }
}

function dispatch(state: SiteState, operation: Operation): Outcome {
  switch (operation.kind) {
    case 'publish-page':
      return publishPage(state, operation)
    case 'replace-page':
      return replacePage(state, operation)
    case 'retitle-page':
      return retitlePage(state, operation)
    case 'unpublish-page':
      return unpublishPage(state, operation)
    case 'rollback-page':
      return rollbackPage(state, operation)
    case 'move-page':
      return movePage(state, operation)
    case 'move-folder':
      return moveFolder(state, operation)
    case 'put-file':
      return putFile(state, operation)
    case 'delete-file':
      return deleteFile(state, operation)
    case 'move-file':
      return moveFile(state, operation)
    case 'rollback-file':
      return rollbackFile(state, operation)
    case 'deploy':
      return publishDeploy(state, operation)
    case 'change-set':
      return applyChangeSet(state, operation.changes, dispatch)
    case 'merge-branch':
      return mergeBranch(state, operation)
    case 'revert-commits':
      return revertCommits(state, operation)
    case 'put-collection':
      return putCollection(state, operation)
    case 'delete-collection':
      return deleteCollection(state, operation)
    case 'put-record':
      return putRecord(state, operation)
    case 'delete-record':
      return deleteRecord(state, operation)
    default:
      throw new ServiceError('internal', `unknown operation ${(operation satisfies never as { kind: string }).kind}`)
  }
}
