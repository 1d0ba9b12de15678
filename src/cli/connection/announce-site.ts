// Names the site that a command changes before it changes anything: the default site may not be the one that is meant.

import { cell, printError } from '../terminal/printable.js'
import { type AuthorOptions, type Connection, siteOf } from './connection.js'

/** Prints one line on standard error, such as "Publishing dist to demo (https://demo.example)". Programs get none. */
export async function announceSite(
  connection: Connection,
  doing: string,
  { json }: Pick<AuthorOptions, 'json'>,
): Promise<void> {
  if (json === true) return
  const { slug, url } = await siteOf(connection)
  printError(`${cell(doing, process.stderr)} ${cell(slug, process.stderr)} (${cell(url, process.stderr)})`)
}
