// What a request for a path of a site comes to: a file, a redirect, something made from the tree, or nothing.

import type { Snapshot } from '../store/snapshot.js'
import { findFile } from './find-file.js'

/** What an answer depends on beside the target; a site view is one. */
export interface ResolvableView {
  snapshot: Pick<Snapshot, 'entry' | 'blob' | 'size' | 'list'>
  /** Files that are answered with 410, by tree path. */
  isGone?: (treePath: string) => boolean
}

export interface FoundFile {
  treePath: string
  oid: string
  /** 200, 404 for the site's own page for what it lacks, or what a rule of the site says. */
  status: number
  /** By lower-case name: what `_headers` says, and `link` with the canonical URL. Never hop-by-hop, framing or cookies. */
  fields: Readonly<Record<string, string>>
}

export type Resolution =
  | { kind: 'file'; file: FoundFile }
  | { kind: 'redirect'; status: number; location: string; fields: Readonly<Record<string, string>> }
  | { kind: 'generated'; body: Buffer; treePath: string; status: 200 }
  | { kind: 'missing' }
  | { kind: 'gone' }

/** A pure function of the view and the target, which is path and query in origin form; it can be kept for each pair. */
export function resolve(view: ResolvableView, target: string): Resolution {
  const [pathname = ''] = target.split('?', 1)
  const file = findFile(view.snapshot, pathname)
  if (file === undefined) return { kind: 'missing' }
  return view.isGone?.(file.treePath) === true ? { kind: 'gone' } : { kind: 'file', file }
}
