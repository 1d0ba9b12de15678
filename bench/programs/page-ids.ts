// Measures reading pages by id without the site header in a workspace of 500 sites, against reading with it. Also measures writes to other
// sites during two such readers, against two readers with the header.

import { makeSites } from '../ground/many-sites.js'
import type { Row } from '../ground/row.js'
import { median, palimpsest, type RunningService, runService, timed } from '../ground/running-service.js'
import { withFolder } from '../ground/temporary-folder.js'

const SITES = 500
const PAGES = 5
/** Fewer sites than a reader keeps open. */
const READ_SITES = 100
const READS = 400
const WRITES = 100

export async function benchPageIds(): Promise<Row[]> {
  return await withFolder(async (folder) => {
    await makeSites(folder, { sites: SITES, pages: PAGES })
    await palimpsest(folder, 'reindex')
    const service = await runService({ dataDir: folder })
    try {
      return await measure(service)
    } finally {
      await service.stop()
    }
  })
}

async function measure(service: RunningService): Promise<Row[]> {
  const pages = await somePages(service)
  await service.put('/write', 'first', pages[0]?.siteId)
  const header = median(await each(READS, (i) => read(service, pages[i % pages.length], true)))
  const bare = median(await each(READS, (i) => read(service, pages[i % pages.length], false)))
  const unknown = median(await each(20, () => service.get(`/pages/${crypto.randomUUID()}`)))
  const besideHeader = median(await writesBeside(service, pages, true))
  const besideBare = median(await writesBeside(service, pages, false))
  const withHeader = `${header.toFixed(2)} ms with the header`
  return [
    row(`GET a page by id, ${SITES} sites, without the header`, '≤ 2', bare, withHeader, bare / header),
    row('the same for an id that no site has', '', unknown, withHeader, unknown / header),
    row(
      'PUT to one site beside two such readers',
      '≤ 1.2',
      besideBare,
      `${besideHeader.toFixed(2)} ms beside two with the header`,
      besideBare / besideHeader,
    ),
  ]
}

interface Known {
  id: string
  siteId: string
}

interface Site {
  id: string
  slug: string
}

async function somePages(service: RunningService): Promise<Known[]> {
  const sites = (JSON.parse((await service.get('/sites?limit=1000')).body.toString()) as { data: Site[] }).data
  const known: Known[] = []
  // The sites are copies of one repository: only pages published here have unique ids.
  for (const { id: siteId } of sites.filter(({ slug }) => slug.startsWith('site-')).slice(0, READ_SITES)) {
    const { body } = await service.put('/own', siteId, siteId)
    const { id } = (JSON.parse(body.toString()) as { data: { id: string } }).data
    known.push({ id, siteId })
  }
  return known
}

async function read(service: RunningService, page: Known | undefined, withHeader: boolean): Promise<void> {
  const { status, body } = await service.get(`/pages/${page?.id}`, withHeader ? page?.siteId : undefined)
  if (status !== 200) throw new Error(`GET a page by id: ${status} ${body.toString()}`)
}

async function writesBeside(service: RunningService, pages: readonly Known[], withHeader: boolean): Promise<number[]> {
  const stopped = new AbortController()
  const readers = [0, 1].map(async (first) => {
    for (let i = first; !stopped.signal.aborted; i += 2) await read(service, pages[i % pages.length], withHeader)
  })
  const taken = await each(WRITES, (i) => service.put('/write', `write ${i} ${Math.random()}`, pages[0]?.siteId))
  stopped.abort()
  await Promise.all(readers)
  return taken
}

async function each(times: number, work: (i: number) => Promise<unknown>): Promise<number[]> {
  const taken: number[] = []
  for (let i = 0; i < times; i += 1) taken.push(await timed(() => work(i)))
  return taken
}

function row(what: string, target: string, ours: number, peer: string, ratio: number): Row {
  return { what, target, ours: `${ours.toFixed(2)} ms`, peer, ratio }
}
