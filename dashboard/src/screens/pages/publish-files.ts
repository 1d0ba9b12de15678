// Publishes HTML files as pages, in one commit.

import { dataOf, type Site, siteApi } from '../../api/client.js'
import type { Done } from '../../parts/progress.js'

/** The limit of one batch. */
const MAX_FILES = 500

export interface Published {
  pages: number
  /** Files that are not HTML, and so were not published. */
  leftOut: number
}

/** Publishes the files. Throws an error for people. */
export async function publishFiles(
  site: Site,
  files: readonly File[],
  onProgress: (progress: Done) => void,
): Promise<Published> {
  const pages = files.filter(({ name }) => /\.html?$/i.test(name))
  if (pages.length === 0) throw new Error('Drop files whose names end in .html.')
  if (pages.length > MAX_FILES) throw new Error(`Drop at most ${MAX_FILES} files at once.`)
  const all = pages.length + 1
  const operations = []
  for (const [at, file] of pages.entries()) {
    onProgress({ done: at, all })
    // Reads the files one by one, so that the progress is correct.
    // oxlint-disable-next-line no-await-in-loop
    operations.push({ op: 'putPage' as const, path: pathOf(file.name), html: await readText(file) })
  }
  onProgress({ done: pages.length, all })
  dataOf(await siteApi(site).POST('/batch', { body: { operations } }))
  return { pages: pages.length, leftOut: files.length - pages.length }
}

/** Throws an error for people if the bytes are not UTF-8: replacing unreadable characters would lose them. */
async function readText(file: File): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer())
  } catch (cause) {
    throw new Error(`${file.name} is not UTF-8: save it as UTF-8. Nothing was published.`, { cause })
  }
}

/** Returns the path for a file name: `/` for `index.html`, `/about` for `about.html`. A name is literal, a path is percent-decoded. */
function pathOf(name: string): string {
  const base = name.replace(/\.html?$/i, '').replaceAll('%', '%25')
  return base === 'index' ? '/' : `/${base}`
}
