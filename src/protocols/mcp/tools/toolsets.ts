// Decides which tools belong to a toolset.

import type { Toolset } from '../../../model/principal.js'

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
])

export function isInToolset(tool: string, toolset: Toolset): boolean {
  return toolset === 'all' || OF_PAGES.has(tool)
}
