// Finds which page stands at a path of the tree (design: identity follows the path), from the files and sidecars
// stored so far.

import { freeDerivedId } from '../../model/ids.js'
import type { Sql } from '../tables/sql.js'

/** Names the index, as SQLite would take the primary key for its order and read all sidecars of the site. */
export const SIDECARS_BY_TREE_PATH = 'sidecars INDEXED BY sidecars_by_tree_path'

export interface Occupant {
  pageId: string
  path: string
  treePath: string
  sidecar: { title: string | null; is_title_marked: 0 | 1; template_id: string | null } | undefined
  /** Undefined while only the sidecar is there. */
  file: { blob: string; size: number } | undefined
}

interface ClaimRow {
  page_id: string
  path: string
  title: string | null
  is_title_marked: 0 | 1
  template_id: string | null
}

interface FileRow {
  path: string | null
  derived_id: string | null
  blob: string
  size: number
}

/**
 * Finds the page at a path. Of several sidecars the lowest id has the path. A file without a sidecar has the first id derived from
 * its path that no sidecar has taken to another path. Undefined for a long path's file without a sidecar.
 */
export function findOccupant(sql: Sql, siteId: string, treePath: string): Occupant | undefined {
  const file = sql.first<FileRow>('SELECT path, derived_id, blob, size FROM page_files WHERE tree_path = ?', [treePath])
  const claim = sql.first<ClaimRow>(
    `SELECT page_id, path, title, is_title_marked, template_id FROM ${SIDECARS_BY_TREE_PATH}
     WHERE tree_path = ? ORDER BY page_id LIMIT 1`,
    [treePath],
  )
  if (claim !== undefined) return { pageId: claim.page_id, path: claim.path, treePath, sidecar: claim, file }
  if (file === undefined || file.path === null || file.derived_id === null) return undefined
  const pageId = freeDerivedId(siteId, file.path, (id) => hasSidecar(sql, id))
  return pageId === undefined ? undefined : { pageId, path: file.path, treePath, sidecar: undefined, file }
}

/** Whether a page without html and sidecar still has its path: no file and no sidecar has come there, and its own sidecar is nowhere. */
export function keepsPath(sql: Sql, pageId: string, treePath: string): boolean {
  const taken = sql.first(
    `SELECT 1 AS found FROM page_files WHERE tree_path = ?1
     UNION ALL SELECT 1 FROM ${SIDECARS_BY_TREE_PATH} WHERE tree_path = ?1 LIMIT 1`,
    [treePath],
  )
  return taken === undefined && !hasSidecar(sql, pageId)
}

function hasSidecar(sql: Sql, pageId: string): boolean {
  return sql.first('SELECT 1 AS found FROM sidecars WHERE page_id = ?', [pageId]) !== undefined
}
