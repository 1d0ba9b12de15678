// What publishing would do, found by reading what is live; nothing is changed.

import { dataOf, Refusal } from '../../client/client.js'
import type { Connection } from './connection.js'
import { explainRefusal } from './explain.js'
import type { Entry } from './report.js'
import type { Outcome, Page } from './send-pages.js'
import { doSideBySide } from './side-by-side.js'

/** An entry for each page, in no order. A path that conflicts with another page's is only found by publishing. */
export async function foreseePages(connection: Connection, pages: readonly Page[]): Promise<Entry<Outcome>[]> {
  const entries: Entry<Outcome>[] = []
  await doSideBySide(pages, async (page) => void entries.push(await foreseePage(connection, page)))
  return entries
}

async function foreseePage({ client }: Connection, { path, html }: Page): Promise<Entry<Outcome>> {
  try {
    const [live] = dataOf(await client.GET('/pages', { params: { query: { path, limit: 1 } } }))
    if (live === undefined) return { path, outcome: 'created' }
    const { html: before, url } = dataOf(await client.GET('/pages/{id}', { params: { path: { id: live.id } } }))
    return { path: live.path, outcome: before === html ? 'unchanged' : 'replaced', at: url }
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 400) throw error
    return { path, outcome: 'failed', message: explainRefusal(error) }
  }
}
