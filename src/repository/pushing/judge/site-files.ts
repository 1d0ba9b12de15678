// Checks the service's own files in a push: the site's id must stay. Warns of wrong lines in the rules files, and of collections that are
// removed while their records stay.

import { hashObject } from '../../../git/objects/object.js'
import type { Oid } from '../../../git/objects/oid.js'
import { findEntry, MODE_TREE, parseTree, type TreeEntry } from '../../../git/objects/tree.js'
import type { ObjectReader } from '../../../git/storage/object-reader.js'
import { HEADERS_FILE } from '../../../model/rules/headers-file.js'
import { REDIRECTS_FILE } from '../../../model/rules/redirects-file.js'
import { MAX_RULES_FILE_BYTES } from '../../../model/rules/rules-file.js'
import { linesOfTooLong, linesToTell } from '../../../model/rules/wrong-lines.js'
import { isFile } from '../../format/file-mode.js'
import { COLLECTION_DIR, encodeSiteFile, parseMetadataPath, SITE_FILE } from '../../format/site-format.js'
import { pushWarning, refusal } from './push-messages.js'

/** More lines would not fit on a terminal; the API's checks name all of them. */
const MAX_LINES = 10
/** More lines would hide what else is said. */
const MAX_COLLECTIONS = 10

/** A file at the root before and after the push. */
interface RootFile {
  name: string
  before: TreeEntry | undefined
  after: TreeEntry | undefined
}

/** Throws PushRefused if the file with the site's id changes, unless it becomes the file of this site. */
export function checkSiteFile(objects: ObjectReader, before: Oid | undefined, after: Oid, siteId: string): void {
  const file = rootFile(objects, SITE_FILE, before, after)
  if (!hasChanged(file)) return
  const own = encodeSiteFile(siteId)
  if (file.after !== undefined && isFile(file.after.mode) && file.after.oid === hashObject('blob', own)) return
  const line = own.toString().trimEnd()
  throw refusal(`.site.json holds the site's id and must stay. Commit it again, then push: echo '${line}' > .site.json`)
}

/** Returns a warning for each line of a changed rules file that the site will skip, or apply in part. */
export function warnOfRules(objects: ObjectReader, before: Oid | undefined, after: Oid): string[] {
  return [REDIRECTS_FILE, HEADERS_FILE].flatMap((name) => {
    const file = rootFile(objects, name, before, after)
    if (file.after === undefined || !isFile(file.after.mode) || file.after.oid === file.before?.oid) return []
    const { wrong, warnings } = linesOf(objects, name, file.after.oid)
    const said = wrong.slice(0, MAX_LINES).map(({ line, message }) => `line ${line} of ${name} is skipped. ${message}`)
    said.push(...warnings.slice(0, MAX_LINES).map(({ line, message }) => `line ${line} of ${name}: ${message}`))
    if (wrong.length > MAX_LINES) said.push(`${wrong.length - MAX_LINES} more lines of ${name} are skipped.`)
    return said.map(pushWarning)
  })
}

function linesOf(objects: ObjectReader, name: string, oid: Oid): ReturnType<typeof linesToTell> {
  const { size } = objects.readHeader(oid)
  return size > MAX_RULES_FILE_BYTES ? linesOfTooLong(size) : linesToTell(name, objects.readBlob(oid))
}

function rootFile(objects: ObjectReader, name: string, before: Oid | undefined, after: Oid): RootFile {
  const [was, is] = [before, after].map((tree) =>
    tree === undefined ? undefined : findEntry(objects.readTree(tree), name),
  )
  return { name, before: was, after: is }
}

function hasChanged({ before, after }: RootFile): boolean {
  return before?.oid !== after?.oid || before?.mode !== after?.mode
}

/** Returns a warning for each collection that is gone while its records are in no list. */
export function warnOfLostCollections(objects: ObjectReader, was: Oid | undefined, is: Oid): string[] {
  const [before, after] = [was, is].map((root) => folderIn(objects, root, COLLECTION_DIR))
  if (before === undefined || after === undefined || before === after) return []
  const lines: string[] = []
  for (const { name, mode } of parseTree(objects.readTree(before)).entries) {
    const file = parseMetadataPath(`${COLLECTION_DIR}/${name}`)
    if (file?.kind !== 'collection' || !isFile(mode)) continue
    if (isFile(findEntry(objects.readTree(after), name)?.mode)) continue
    const count = countRecords(objects, after, file.collectionId)
    if (count === 0) continue
    const records = count === 1 ? '1 record is' : `${count} records are`
    lines.push(
      pushWarning(`${COLLECTION_DIR}/${name} is gone, and ${records} in no list: bring it back, or remove them too`),
    )
    if (lines.length === MAX_COLLECTIONS) break
  }
  return lines
}

function countRecords(objects: ObjectReader, collections: Oid, collectionId: string): number {
  const folder = folderIn(objects, collections, collectionId)
  if (folder === undefined) return 0
  const { entries } = parseTree(objects.readTree(folder))
  return entries.filter(({ name }) => parseMetadataPath(`${COLLECTION_DIR}/${collectionId}/${name}`) !== undefined)
    .length
}

function folderIn(objects: ObjectReader, tree: Oid | undefined, name: string): Oid | undefined {
  const entry = tree === undefined ? undefined : findEntry(objects.readTree(tree), name)
  return entry?.mode === MODE_TREE ? entry.oid : undefined
}
