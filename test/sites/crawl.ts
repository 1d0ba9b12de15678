// Every file of a folder at its URL, byte for byte, and everything that its documents and stylesheets refer to.

import { readFileSync } from 'node:fs'
import { filesOfFolder } from '../../src/protocols/client/node/folder.js'
import { doSideBySide } from '../../src/protocols/client/side-by-side.js'
import { referencesOf } from './references.js'
import type { Visitor } from './visitor.js'

export interface Crawled {
  /** Files that answer with their bytes. */
  files: number
  /** References within the site, each counted once, that answer. */
  references: number
  /** Wrong answers, in a line each. */
  faults: string[]
  /** References to what the folder does not have either. */
  missing: string[]
}

/** Never served: they are rules. */
const RULES = new Set(['_redirects', '_headers'])

export async function crawl(folder: string, visitor: Visitor): Promise<Crawled> {
  const { files } = filesOfFolder(folder, { followLinks: true })
  const names = new Set(files.map(({ name }) => name))
  const crawled: Crawled = { files: 0, references: 0, faults: [], missing: [] }
  const asked = new Map<string, string>()
  await doSideBySide(files, async ({ name, file }) => {
    if (RULES.has(name)) return
    const path = `/${name.split('/').map(encodeURIComponent).join('/')}`
    const { status, type, body } = await visitor.get(path)
    if (status === 200 && body.equals(readFileSync(file))) crawled.files += 1
    else crawled.faults.push(`${path}: ${status}`)
    const isText = type.startsWith('text/html') || type.startsWith('text/css')
    const references = isText ? referencesOf(type, body.toString(), `http://${visitor.host}${path}`) : []
    for (const reference of references) if (!asked.has(reference)) asked.set(reference, name)
  })
  await doSideBySide([...asked], async ([reference, from]) => {
    const { status } = await visitor.get(reference)
    if (status === 200) crawled.references += 1
    else if (isInFolder(names, reference)) crawled.faults.push(`${reference}: ${status}, which ${from} refers to`)
    else crawled.missing.push(`${reference}, which ${from} refers to`)
  })
  return crawled
}

/** Whether a reference within the site can lead to a file of the folder. */
export function isInFolder(names: ReadonlySet<string>, reference: string): boolean {
  const path = decodeURIComponent(reference.replace(/\?.*$/, '')).replace(/^\//, '')
  const page = path.replace(/\/$/, '')
  return [path, `${path}.html`, `${page}/index.html`, `${page}.html`, 'index.html'].some(
    (name) => names.has(name) && (name !== 'index.html' || page === ''),
  )
}
