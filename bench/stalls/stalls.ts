// Measures the longest stretch of the thread that serves hosted pages, for the most expensive requests. Each visits a new site.

import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Row } from '../ground/row.js'
import { median, palimpsest, type RunningService, runService } from '../ground/running-service.js'
import { withFolder } from '../ground/temporary-folder.js'
import { recordTo, stretchesSince } from './recorded-stalls.js'

const ROUNDS = 3
const MAX_MS = 5
/** Time for the recorder to write, and for work that a request leaves behind. */
const SETTLE_MS = 300

interface Attack {
  what: string
  /** Fills the site's repository: by a stream for git fast-import, or with trees made by hand. */
  fill: (git: Git) => void
  target: string
}

type Git = (args: readonly string[], input?: string | Buffer) => string

const ATTACKS: readonly Attack[] = [
  { what: 'a page of 2 KB', fill: importFiles({ 'page.html': 'x'.repeat(2048) }), target: '/page' },
  { what: 'a page of 10 MB', fill: importFiles({ 'page.html': 'word '.repeat(2_000_000) }), target: '/page' },
  { what: 'a page among 100,000 in one folder', fill: importFlat(100_000), target: '/page-5' },
  { what: 'sitemap of 100,000 pages', fill: importFlat(100_000), target: '/sitemap.xml' },
  { what: 'sitemap of 390,625 pages in 76 KB', fill: nest(25, 3, '.html'), target: '/sitemap.xml' },
  { what: 'sitemap of 10^10 files', fill: nest(10, 9, '.txt'), target: '/sitemap.xml' },
  {
    what: 'a missing page below 500 folders',
    fill: importFiles({ [`${'d0/'.repeat(500)}0.html`]: 'x' }),
    target: `${'/d0'.repeat(500)}/none`,
  },
  {
    what: '_redirects with 256,000 wrong lines',
    fill: importFiles({ 'index.html': 'x', _redirects: 'x\n'.repeat(256_000) }),
    target: '/none',
  },
  {
    what: '_redirects with 2,100 rules',
    fill: importFiles({ 'index.html': 'x', _redirects: rulesOf(2000) }),
    target: '/none',
  },
  {
    what: '98 splats and a path of 30,000 segments',
    fill: importFiles({ 'index.html': 'x', _redirects: rulesOf(0) }),
    target: '/a'.repeat(30_000),
  },
  { what: 'an empty refs/heads/main', fill: () => undefined, target: '/' },
]

export async function benchStalls(): Promise<Row[]> {
  return await withFolder(async (folder) => {
    const file = join(folder, 'stalls')
    const service = await runService({ dataDir: join(folder, 'data'), env: recordTo(file) })
    try {
      const rows: Row[] = []
      for (const [at, attack] of ATTACKS.entries()) {
        const row = await measure(service, attack, `attack-${at}`, file)
        console.error(`${row.what}: ${row.ours}`)
        rows.push(row)
      }
      return rows
    } finally {
      await service.stop()
    }
  })
}

async function measure(service: RunningService, attack: Attack, slug: string, file: string): Promise<Row> {
  const stretches: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const site = `${slug}-${round}`
    await palimpsest(service.dataDir, 'sites', 'create', site)
    const gitdir = join(service.dataDir, `${site}.git`)
    attack.fill((args, input = '') =>
      execFileSync('git', args, { cwd: gitdir, input, maxBuffer: 1 << 30 })
        .toString()
        .trim(),
    )
    if (attack.what.startsWith('an empty')) writeFileSync(join(gitdir, 'refs/heads/main'), '')
    await pause(SETTLE_MS)
    const begun = Date.now()
    // A missing page or a failure is a result, too.
    await service.visit(attack.target, site).catch(() => undefined)
    await pause(SETTLE_MS)
    stretches.push(Math.max(0, ...stretchesSince(file, begun)))
  }
  const [longest, middle] = [Math.max(...stretches), median(stretches)]
  const ours = `${middle.toFixed(1)} ms, at most ${longest.toFixed(1)}`
  return { what: attack.what, target: `under ${MAX_MS} ms`, ours, peer: '', ratio: Number.NaN }
}

function importFiles(files: Readonly<Record<string, string>>): Attack['fill'] {
  return (git) => {
    const parts = Object.entries(files).map(
      ([path, text]) => `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`,
    )
    git(['fast-import', '--quiet'], `${COMMIT}${parts.join('')}`)
  }
}

function importFlat(pages: number): Attack['fill'] {
  return (git) =>
    commitTree(
      git,
      makeTree(git, `100644 blob ${makeBlob(git)}`, pages, (at) => `page-${at}.html`),
    )
}

/** Makes a tree of `levels` levels of equal folders, with `width` entries in each. */
function nest(width: number, levels: number, ending: string): Attack['fill'] {
  return (git) => {
    let oid = makeTree(git, `100644 blob ${makeBlob(git)}`, width, (at) => `${at}${ending}`)
    for (let level = 0; level < levels; level++) oid = makeTree(git, `040000 tree ${oid}`, width, (at) => `d${at}`)
    commitTree(git, oid)
  }
}

function makeBlob(git: Git): string {
  return git(['hash-object', '-w', '--stdin'], 'x')
}

function makeTree(git: Git, entry: string, entries: number, nameOf: (at: number) => string): string {
  return git(['mktree'], Array.from({ length: entries }, (_, at) => `${entry}\t${nameOf(at)}\n`).join(''))
}

function commitTree(git: Git, tree: string): void {
  const who = ['-c', 'user.name=x', '-c', 'user.email=x@example.org']
  git(['update-ref', 'refs/heads/main', git([...who, 'commit-tree', '-p', 'main', '-m', 'Fill', tree])])
}

const COMMIT = `commit refs/heads/main\ncommitter x <x@example.org> 1790000000 +0000\ndata 4\nFill\nfrom refs/heads/main^0\n`

function rulesOf(single: number): string {
  const lines = Array.from({ length: single }, (_, at) => `/from-${at} /to-${at}`)
  return [...lines, ...Array.from({ length: 98 }, (_, at) => `/*/q${at} /z/:splat`)].join('\n')
}
