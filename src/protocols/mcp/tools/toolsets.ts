// Decides which tools an agent is offered: those of its toolset that its scopes allow.

import type { Toolset } from '../../../model/principal.js'
import { holdsScope, type Scope } from '../../../model/rights/scopes.js'
import type { Operation } from './operation.js'

/** The tools that writing pages needs; names of tools that do not exist yet are ignored. */
const OF_PAGES = new Set([
  'list_sites',
  'list_pages',
  'search_pages',
  'get_page',
  'create_page',
  'update_page',
  'edit_page',
  'edit_pages',
  'delete_page',
  'get_file',
  'list_versions',
  'diff_versions',
  'rollback_page',
  'list_commits',
  'undo_my_changes',
  'list_change_requests',
  'get_change_request',
  'comment_change_request',
  'edit_change_request',
  'update_change_request',
  'publish_change_request',
])

export function isInToolset(tool: string, toolset: Toolset): boolean {
  return toolset === 'all' || OF_PAGES.has(tool)
}

/** Whether scopes allow the operation, or at least its dry run, or the same in a change request. */
export function isAllowed({ scope, query, body }: Operation, scopes: readonly Scope[]): boolean {
  if (scope === 'read' || scopes.includes('admin') || holdsScope(scopes, scope)) return true
  const isProposed = [query, body?.json].some(
    (schema) => schema !== undefined && ('dryRun' in schema.properties || 'changeRequest' in schema.properties),
  )
  return scope === 'write' && isProposed && holdsScope(scopes, 'propose')
}
