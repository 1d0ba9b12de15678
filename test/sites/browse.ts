// Opens a sample of a site's pages in Chromium: all resources of a page must load, and no script may fail.

import type { Browser } from 'playwright-core'

const MAX_PAGES = 40
const LOAD_LIMIT_MS = 30_000

export interface Browsed {
  pages: number
  /** Errors of the console, and requests within the site that failed, in a line each. */
  complaints: string[]
}

/**
 * `paths` of documents, of which a sample is opened. What the site's folder does not have is no fault of the service, nor that the
 * browser asks for an icon where none is named.
 */
export async function browse(
  browser: Browser,
  host: string,
  paths: readonly string[],
  isThere: (path: string) => boolean,
): Promise<Browsed> {
  const stride = Math.max(1, Math.floor(paths.length / MAX_PAGES))
  const sample = paths.filter((_, at) => at % stride === 0).slice(0, MAX_PAGES)
  const complaints: string[] = []
  const context = await browser.newContext()
  const tab = await context.newPage()
  let at = ''
  const isOurs = (url: string) => URL.canParse(url) && new URL(url).host === host && isThere(new URL(url).pathname)
  tab.on('pageerror', (error) => complaints.push(`${at}: ${error.message}`))
  tab.on('console', (message) => {
    // The text names a refused stylesheet; the location is the document's own URL.
    const url = /'(http:[^']+)'/.exec(message.text())?.[1] ?? message.location().url
    if (message.type() === 'error' && isOurs(url)) complaints.push(`${at}: ${message.text()}`)
  })
  tab.on('response', (response) => {
    if (response.status() >= 400 && isOurs(response.url()))
      complaints.push(`${at}: ${response.url()} ${response.status()}`)
  })
  for (const path of sample) {
    at = path
    await tab.goto(`http://${host}${path}`, { waitUntil: 'load', timeout: LOAD_LIMIT_MS })
    // Fonts and resources loaded by scripts come after that.
    await tab.waitForLoadState('networkidle', { timeout: LOAD_LIMIT_MS })
  }
  await context.close()
  return { pages: sample.length, complaints }
}
