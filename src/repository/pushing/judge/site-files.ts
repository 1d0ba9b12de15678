// The files at the root of a site that a push may not change as it likes: the one with the site's id, and the rules, whose wrong lines
// are named to the person who pushes.

import { hashObject } from '../../../git/objects/object.js'
import type { Oid } from '../../../git/objects/oid.js'
import { findEntry, type TreeEntry } from '../../../git/objects/tree.js'
import type { ObjectReader } from '../../../git/storage/object-reader.js'
import { HEADERS_FILE } from '../../../model/rules/headers-file.js'
import { REDIRECTS_FILE } from '../../../model/rules/redirects-file.js'
import { MAX_RULES_FILE_BYTES } from '../../../model/rules/rules-file.js'
import { linesOfTooLong, linesToTell } from '../../../model/rules/wrong-lines.js'
import { isFile } from '../../format/file-mode.js'
import { encodeSiteFile, SITE_FILE } from '../../format/site-format.js'
import { refusal } from './push-refused.js'
import { pushWarning } from './push-warning.js'

/** More lines would not fit on a terminal; the API's checks name all of them. */
const MAX_LINES = 10

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
