// Measures full-text search of 100,000 pages: the HTML documents of /usr/share/doc, cut into sections. Compares it with `git grep`, and
// measures its effect on a small site of the same service and on a publish.

import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { storePageText } from '../../src/index/text/store-text.js'
import { TextFiles } from '../../src/index/text/text-file.js'
import { siteFileOf } from '../../src/index/tables/site-file.js'
import { readPage } from '../../src/indexing/text/read-page.js'
import { pageTextOf } from '../../src/texts/page-text.js'
import { growRepository } from '../ground/large-repository.js'
import type { Row } from '../ground/row.js'
import { median, palimpsest, type RunningService, runService, timed } from '../ground/running-service.js'
import { withFolder } from '../ground/temporary-folder.js'

/** BENCH_PAGES sets fewer pages for a trial. */
const PAGES = Number(process.env['BENCH_PAGES'] ?? 100_000)
const SECTION_BYTES = 800
/** Lifts the rate limits, since one visitor sends all searches. */
const UNLIMITED = { MAX_SEARCHES_PER_ADDRESS: '1000000' }
const MAX_INDEXING_MS = 15 * 60_000
/** Number of searched words that 500 to 1,000 pages have, and number of searches for each of the most common words. */
const RARE_WORDS = 60
const TIMES = 20
const PUBLISH_BYTES = 10_240
const PUBLISHES = 200

export async function benchSearch(): Promise<Row[]> {
  const sections = readSections('/usr/share/doc')
  if (sections.length < PAGES)
    throw new Error(`/usr/share/doc has ${sections.length} sections: install git-doc and others.`)
  return await withFolder(async (folder) => {
    const gitdir = join(folder, 'docs.git')
    const files = Object.fromEntries(sections.map((section, i) => [`s/${i}.html`, () => section]))
    await growRepository(gitdir, { pages: 1, commits: 0, files })
    const service = await runService({ env: UNLIMITED })
    try {
      const siteId = await palimpsest(service.dataDir, 'sites', 'import', 'docs', gitdir)
      return await measure(service, siteId, gitdir, sections)
    } finally {
      await service.stop()
    }
  })
}

async function measure(
  service: RunningService,
  siteId: string,
  gitdir: string,
  sections: readonly Buffer[],
): Promise<Row[]> {
  const indexing = await timed(() => untilSearched(service, siteId))
  await service.put('/small', '<p>the small page of a small site', undefined)
  const small = await timesOf(service, 'the', undefined)
  const { rare, common } = pickWords(service.dataDir, siteId)
  // Lets this process first notice kept connections that ended meanwhile.
  await pause(100)
  const rareTimes: number[] = []
  for (const word of rare) rareTimes.push(...(await timesOf(service, word, siteId, 2)))
  const admin = await palimpsest(service.dataDir, 'keys', 'create', '--scopes', 'admin')
  await switchSearchOn(service, siteId, admin)
  const visitorTimes: number[] = []
  for (const word of rare) visitorTimes.push(await timed(() => service.visit(`/_search?q=${word}`, 'docs')))
  const grepTimes: number[] = []
  for (const word of rare.slice(0, 3)) grepTimes.push(await timed(() => gitGrep(gitdir, word)))
  const grep = median(grepTimes)
  const rows: Row[] = [
    row(`${PAGES} pages: until they are searched, after the import`, '', indexing),
    row('the first 20 hits of words in 500 to 1,000 pages, p95', '≤ 20 ms', at95(rareTimes), grep, '`git grep -l`'),
  ]
  rows.push(row('the same by a visitor, at /_search, p95', '', at95(visitorTimes)))
  for (const word of [...common, `${common[0]?.slice(0, 2)}`, 'co', 'a'])
    rows.push(
      row(`the same of "${word}" and what begins with it, p95`, '≤ 150 ms', at95(await timesOf(service, word, siteId))),
    )
  const textBytes = sections.reduce((sum, section) => sum + Buffer.byteLength(pageTextOf(section.toString()).text), 0)
  const fileBytes = statSync(siteFileOf(service.dataDir, siteId, 'text').path).size
  return [
    ...rows,
    row('a search of a small site beside it, p95', '', at95(small)),
    {
      what: 'size of the text file, against the text',
      ours: `${(fileBytes / 1e6).toFixed(0)} MB`,
      peer: `${(textBytes / 1e6).toFixed(0)} MB`,
      ratio: fileBytes / textBytes,
    },
    row('CPU of the text of a published page of 10 KB', '≤ 5 ms', publishCost(service.dataDir, sections)),
  ]
}

async function switchSearchOn({ port }: RunningService, siteId: string, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const url = `http://127.0.0.1:${port}/api/v1/sites/${siteId}`
  const { status } = await fetch(url, { method: 'PATCH', headers, body: '{"search": true}' })
  if (status !== 200) throw new Error(`switching search on: ${status}`)
}

/** Returns pieces of HTML that begin with a tag, of at least SECTION_BYTES. */
function readSections(folder: string): Buffer[] {
  const sections: Buffer[] = []
  for (const name of readdirSync(folder, { recursive: true }).map(String)) {
    if (!name.endsWith('.html') || !statSync(join(folder, name)).isFile()) continue
    const html = readFileSync(join(folder, name)).toString()
    for (let from = 0; from < html.length && sections.length < PAGES; ) {
      const tag = html.indexOf('<', from + SECTION_BYTES)
      const to = tag === -1 ? html.length : tag
      sections.push(Buffer.from(`<title>${name} ${from}</title>\n${html.slice(from, to)}`))
      from = to
    }
  }
  return sections
}

async function untilSearched(service: RunningService, siteId: string): Promise<void> {
  const latest = performance.now() + MAX_INDEXING_MS
  while ((await service.get('/search?q=the', siteId)).status !== 200) {
    if (performance.now() > latest) throw new Error(`not searched within ${MAX_INDEXING_MS} ms`)
    await pause(100)
  }
}

async function timesOf(
  service: RunningService,
  q: string,
  siteId: string | undefined,
  times = TIMES,
): Promise<number[]> {
  const taken: number[] = []
  for (let i = 0; i < times; i += 1)
    taken.push(await timed(() => service.get(`/search?q=${encodeURIComponent(q)}`, siteId)))
  return taken
}

function pickWords(dataDir: string, siteId: string): { rare: string[]; common: string[] } {
  const { sql, close } = openText(dataDir, siteId)
  try {
    sql.run("CREATE VIRTUAL TABLE temp.words USING fts5vocab('site', 'page_words', 'row')", [])
    const listed = sql.all<{ term: string; doc: number }>('SELECT term, doc FROM temp.words WHERE doc >= 500', [])
    const rare = listed.filter(({ term, doc }) => doc <= 1_000 && /^[a-z]{4,}$/.test(term)).map(({ term }) => term)
    const common = listed.filter(({ term }) => /^[a-z]{2,}$/.test(term)).toSorted((a, b) => b.doc - a.doc)
    const step = Math.max(1, Math.floor(rare.length / RARE_WORDS))
    return { rare: rare.filter((_, i) => i % step === 0), common: common.slice(0, 3).map(({ term }) => term) }
  } finally {
    close()
  }
}

function openText(dataDir: string, siteId: string) {
  const texts = new TextFiles(dataDir)
  return { sql: texts.open(siteId), close: () => texts.close() }
}

/** Returns the CPU milliseconds of storing a page's text, in a file next to the others. */
function publishCost(dataDir: string, sections: readonly Buffer[]): number {
  const { sql, close } = openText(dataDir, '00000000-0000-4000-8000-000000000000')
  const html = Buffer.concat(sections.slice(0, 20)).toString().slice(0, PUBLISH_BYTES)
  const before = process.cpuUsage()
  for (let i = 0; i < PUBLISHES; i += 1) {
    const page = { pageId: `page ${i}`, path: `/${i}`, title: 'x', blob: 'x' }
    sql.transact(() => storePageText(sql, page, readPage(Buffer.from(html), page.path), Infinity))
  }
  const { user, system } = process.cpuUsage(before)
  close()
  return (user + system) / 1e3 / PUBLISHES
}

async function gitGrep(gitdir: string, word: string): Promise<void> {
  await promisify(execFile)('git', ['-C', gitdir, 'grep', '-l', '-w', '-i', word, 'main'], { maxBuffer: 1 << 28 })
}

function at95(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN
}

function row(what: string, target: string, ours: number, peer?: number, peerName = ''): Row {
  return {
    what,
    target,
    ours: `${ours.toFixed(1)} ms`,
    peer: peer === undefined ? '' : `${peer.toFixed(0)} ms ${peerName}`,
    ratio: peer === undefined ? Number.NaN : ours / peer,
  }
}
