// `palimpsest open`: opens a page in the browser and prints its URL.

import type { Command } from 'commander'
import { dataOf } from '../../protocols/client/client.js'
import { hasBrowser, openBrowser } from '../local/browser.js'
import { type AuthorOptions, connect, forAuthors, siteOf } from '../connection/connection.js'
import { Unusable } from '../connection/unusable.js'
import { findPageId } from '../connection/find-page.js'
import { cell, printError, printJson } from '../terminal/printable.js'

export function addOpen(program: Command): void {
  forAuthors(program.command('open [page]'))
    .summary('open the site, or a page, in the browser')
    .description(
      'print the URL of a page, or of the site; on a terminal with a display, open it in the browser (BROWSER)',
    )
    .action(open)
}

async function open(page: string | undefined, options: AuthorOptions): Promise<void> {
  const connection = await connect(options)
  const found =
    page === undefined
      ? await siteOf(connection)
      : dataOf(
          await connection.client.GET('/pages/{id}', { params: { path: { id: await findPageId(connection, page) } } }),
        )
  if (options.json) return printJson({ url: found.url })
  console.log(cell(found.url))
  if (process.stdout.isTTY) await startBrowser(found.url)
}

/** Only http and https URLs are given to a browser. Without a display, the printed address is all. */
async function startBrowser(address: string): Promise<void> {
  const { href, protocol } = new URL(address)
  if (!/^https?:$/.test(protocol)) throw new Unusable(`${cell(address)} is not an http or https URL.`)
  if (!process.env['BROWSER'] && !hasBrowser(process.env)) return
  const missing = await openBrowser(href)
  if (missing !== undefined) printError(`palimpsest: ${missing} is not installed: open the URL yourself`)
}
