// Shows a site with other text in its rules files, so that rules can be tried before they are published.

import { hashObject } from '../../git/objects/object.js'
import { MODE_BLOB } from '../../git/objects/tree.js'
import { HEADERS_FILE } from '../../model/rules/headers-file.js'
import { REDIRECTS_FILE } from '../../model/rules/redirects-file.js'
import type { Snapshot } from '../reading/snapshot.js'
import type { ResolvableView } from './resolution.js'

/** The text of rules files; an omitted one stays as it is. */
export interface DraftRules {
  redirects?: string
  headers?: string
}

/** Returns the entries and blobs of the snapshot with the drafted files replaced. */
export function withDraftRules(snapshot: Snapshot, { redirects, headers }: DraftRules): ResolvableView['snapshot'] {
  const files = new Map<string, { oid: string; bytes: Buffer }>()
  for (const [name, text] of [
    [REDIRECTS_FILE, redirects],
    [HEADERS_FILE, headers],
  ] as const) {
    if (text === undefined) continue
    const bytes = Buffer.from(text)
    files.set(name, { oid: hashObject('blob', bytes), bytes })
  }
  const drafted = (oid: string) => [...files.values()].find((file) => file.oid === oid)?.bytes
  return {
    siteId: snapshot.siteId,
    entry(treePath) {
      const file = files.get(treePath)
      return file === undefined ? snapshot.entry(treePath) : { mode: MODE_BLOB, name: treePath, oid: file.oid }
    },
    linkedEntry: (treePath) => snapshot.linkedEntry(treePath),
    blob: (oid) => drafted(oid) ?? snapshot.blob(oid),
    size: (oid) => drafted(oid)?.length ?? snapshot.size(oid),
    nearestFile: (folder, name) => snapshot.nearestFile(folder, name),
  }
}
