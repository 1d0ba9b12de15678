// Warns of files that a deploy publishes, but that some visitors, clones or lists do not get as their author may expect.

import { type FileSizes, wordsOfLargePage } from '../../model/limits.js'
import { whyNotPortable } from '../../model/paths/file-path.js'
import { assetPathOf, foldCase, type PagePath, pagePathOf, treePathOf, urlPathOf } from '../../model/paths/page-path.js'
import type { Deploy } from '../../repository/uploads/deploy.js'
import { inTurns, isFalsePage } from './manifest.js'

export interface Warning {
  path: string
  line?: number
  message: string
}

/** Returns the warnings that follow from the manifest alone, at most one for each file. */
export async function warningsOf({ files }: Pick<Deploy, 'files'>, limits: FileSizes): Promise<Warning[]> {
  const warnings: Warning[] = []
  const names = new Set(files.map(([path]) => path))
  const seen: Seen = { byFold: new Map(), told: new Set() }
  for await (const [path, , size] of inTurns(files)) {
    const page = pagePathOf(path)
    const odd = page === undefined ? whyOddFile(path) : whyOddPage(page, size, names)
    const large = page !== undefined && size > limits.maxHtmlBytes ? wordsOfLargePage(limits) : undefined
    const messages = [large, odd, whySameOnSomeSystems(path, seen)].filter((message) => message !== undefined)
    if (messages.length > 0) warnings.push({ path, message: messages.join(' ') })
  }
  return warnings
}

function whyOddFile(path: string): string | undefined {
  if (isFalsePage(path)) return 'No page can have this name: it is published as a file, and is in no list of pages.'
  const reason = whyNotPortable(path)
  return reason === undefined ? undefined : `Some systems cannot check it out. ${reason}`
}

function whyOddPage(page: PagePath, size: number, names: ReadonlySet<string>): string | undefined {
  if (size === 0) return 'This page is empty.'
  const asset = assetPathOf(urlPathOf(page))
  if (asset !== undefined && names.has(asset))
    return `The file ${asset} has its URL: this page answers only with .html at the end.`
  const twin = page === '/' || !page.endsWith('/') ? undefined : treePathOf(page.slice(0, -1) as PagePath)
  if (twin === undefined || !names.has(twin)) return undefined
  return `Its URL differs from that of ${twin} only by the slash at the end: both are live.`
}

interface Seen {
  /** The first name of a file or folder, by its case fold. */
  byFold: Map<string, string>
  /** The later ones, that were told of. */
  told: Set<string>
}

/** Compares the file and its folders with those before it. */
function whySameOnSomeSystems(path: string, { byFold, told }: Seen): string | undefined {
  let reason: string | undefined
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    const name = path.slice(0, end)
    const folded = foldCase(name)
    const other = byFold.get(folded)
    if (other === name || told.has(name)) break
    if (other === undefined) byFold.set(folded, name)
    else if (lastOf(other) !== lastOf(name)) {
      told.add(name)
      reason = `${name} differs from ${other} only by case: both are live, but macOS and Windows check out only one.`
    }
  }
  return reason
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
