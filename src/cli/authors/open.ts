// `palimpsest open`: opens a page in the browser and prints its URL.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Command } from 'commander'
import { dataOf } from '../../protocols/client/client.js'
import { type AuthorOptions, connect, forAuthors, siteOf } from '../connection/connection.js'
import { Unusable } from '../connection/unusable.js'
import { findPageId } from '../connection/find-page.js'
import { cell, printJson } from '../terminal/printable.js'

export function addOpen(program: Command): void {
  forAuthors(program.command('open [page]'))
    .description('open a page, or the site, in the browser (BROWSER); print its URL')
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

/** Starts the browser without a shell: the address is an argument of its own. Only http and https URLs are given to a browser. */
async function startBrowser(address: string): Promise<void> {
  const url = new URL(address)
  if (!/^https?:$/.test(url.protocol)) throw new Unusable(`${cell(address)} is not an http or https URL.`)
  const [program, ...options] = browserCommand()
  const browser = spawn(program, [...options, url.href], { stdio: 'ignore', detached: true })
  browser.unref()
  await once(browser, 'spawn').catch(() =>
    console.error(`palimpsest: ${program} is not installed: open the URL yourself`),
  )
}

function browserCommand(): [string, ...string[]] {
  const { BROWSER: chosen } = process.env
  if (chosen !== undefined && chosen !== '') return [chosen]
  if (process.platform === 'darwin') return ['open']
  return process.platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open']
}
