import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { derivePageId } from '../../../src/model/ids.js'
import { parsePagePath } from '../../../src/model/paths/page-path.js'
import { DiskRepositories } from '../../../src/repository/disk/disk-repositories.js'
import { encodeSidecar, encodeSiteFile, sidecarPathOf } from '../../../src/repository/format/site-format.js'
import { prepareMerge } from '../../../src/repository/merging/prepare-merge.js'
import { git } from '../../support/git.js'
import { importCommits } from './import-commits.js'

const SITE = { id: '019a0000-0000-7000-8000-000000000001', slug: 'demo' }
const LINES = 8
const SIDES = ['ours', 'base', 'theirs'] as const

/** The changes of one side to a page. */
interface Act {
  /** The path that it moved the page to. */
  to: 'first' | 'second' | undefined
  /** The line that it changed; -1 for all of the page, which it removed. */
  line: number | undefined
  /** Whether the page has a sidecar since. A moved page has one. */
  givesSidecar: boolean
}

interface AnyPage {
  /** Whether the id comes from the path, as of a page that was pushed. */
  isDerived: boolean
  ours: Act
  theirs: Act
}

/** A page as one side has it. */
interface State {
  path: string
  html: string | undefined
  hasSidecar: boolean
}

const act: fc.Arbitrary<Act> = fc.record({
  to: fc.constantFrom(undefined, undefined, 'first' as const, 'second' as const),
  line: fc.constantFrom(undefined, -1, 0, 1, LINES - 1),
  givesSidecar: fc.boolean(),
})
const anyPages: fc.Arbitrary<AnyPage[]> = fc.array(fc.record({ isDerived: fc.boolean(), ours: act, theirs: act }), {
  minLength: 1,
  maxLength: 4,
})

describe('a merge that follows pages', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-moves-'))
  const repositories = new DiskRepositories(dataDir)
  const gitdir = repositories.gitdir(SITE)

  before(() => git(dataDir, 'init', '--quiet', '--bare', '--initial-branch=main', gitdir))
  after(() => rmSync(dataDir, { recursive: true, force: true }))

  it('has what git merges of a page where one side moved it, or a conflict', async () => {
    let merged = 0
    await fc.assert(
      fc.asyncProperty(anyPages, async (pages) => {
        const wanted = pages.map((page, at) => modelOf(page, at))
        const sides = SIDES.map((side) => new Map(pages.flatMap((page, at) => filesOf(page, at, side))))
        const found = await merge(sides)
        if (found === 'conflict') return assert.ok(wanted.includes('conflict'), 'nothing conflicts in the model')
        assert.deepEqual(
          found,
          Object.fromEntries(wanted.flatMap((files) => (files === 'conflict' ? [['', '']] : files))),
        )
        merged += 1
      }),
      { numRuns: 80 },
    )
    assert.ok(merged > 10, `only ${merged} merges`)
  })

  it('leaves a page where something else has come to its new path', async () => {
    const [base, moved] = [new Map(publishedAt('/a', 'a\n')), new Map(publishedAt('/b', 'a\n'))]
    const ours = new Map([...publishedAt('/a', 'new\n'), ['b.html', 'other\n'] as const])
    assert.equal(await merge([ours, base, moved]), 'conflict')
  })

  it('lets pages change places, and takes the changes of each along', async () => {
    const [one, two] = [1, 2].map((at) => `0b000000-0000-4000-8000-00000000000${at}`)
    const both = (first: string, second: string, [a, b]: readonly [string, string]) =>
      new Map([...publishedAt(first, a, one), ...publishedAt(second, b, two)])
    const base = both('/a', '/dir/b', ['a\n', 'b\n'])
    const ours = both('/a', '/dir/b', ['a\n', 'b2\n'])
    const theirs = both('/dir/a', '/b', ['a\n', 'b\n'])
    const files = await merge([ours, base, theirs])
    assert.deepEqual(files, Object.fromEntries(both('/dir/a', '/b', ['a\n', 'b2\n'])))
  })

  function publishedAt(path: string, html: string, id = '0a000000-0000-4000-8000-000000000001'): [string, string][] {
    return [[`${path.slice(1)}.html`, html], sidecar(id, path)]
  }

  /** Merges the versions, and returns all files of the result. */
  async function merge(versions: readonly ReadonlyMap<string, string>[]): Promise<Record<string, string> | 'conflict'> {
    const site = ['.site.json', encodeSiteFile(SITE.id).toString()] as const
    const commits = importCommits(
      gitdir,
      versions.map((files) => new Map([site, ...files].map(([path, text]) => [path, ['100644', text] as const]))),
    )
    const [ours = '', base = '', theirs = ''] = commits
    const repository = repositories.open(SITE)
    try {
      const aim = { base, ours, theirs, withheld: [] }
      const merged = await prepareMerge({ gitdir, objects: repository.objects }, aim, () => Promise.resolve([]))
      if (merged.conflicts.length > 0) return 'conflict'
      const files = new Map(versions[0])
      for (const { path, after: entry, content } of merged.edits) {
        if (entry === null) files.delete(path)
        else files.set(path, String(content ?? repository.objects.readBlobWithin(entry.oid, 1_000_000)))
      }
      return Object.fromEntries(files)
    } finally {
      repository.close()
    }
  }

  /** The files of the page after a merge by its id, with git as the judge of its text. */
  function modelOf(any: AnyPage, at: number): [string, string][] | 'conflict' {
    const [ours, base, theirs] = SIDES.map((side) => stateOf(any, at, side)) as [State, State, State]
    const path = merged3(ours.path, base.path, theirs.path)
    const html =
      ours.html !== undefined && base.html !== undefined && theirs.html !== undefined
        ? mergeByGit([ours.html, base.html, theirs.html])
        : merged3(ours.html, base.html, theirs.html)
    if (path === undefined || html === undefined) return 'conflict'
    return filesAt(any, at, {
      path: path.value,
      html: html.value,
      hasSidecar: ours.hasSidecar || theirs.hasSidecar,
    })
  }

  function mergeByGit(texts: readonly [string, string, string]): { value: string } | undefined {
    const files = texts.map((text, at) => {
      const file = join(dataDir, `${SIDES[at]}.txt`)
      writeFileSync(file, text)
      return file
    })
    const { status, stdout } = spawnSync('git', ['merge-file', '--stdout', '--quiet', ...files], { encoding: 'utf8' })
    return status === 0 ? { value: stdout } : undefined
  }
})

function merged3<T>(ours: T, base: T, theirs: T): { value: T } | undefined {
  if (ours === theirs || base === theirs) return { value: ours }
  return base === ours ? { value: theirs } : undefined
}

function stateOf({ isDerived, ...acts }: AnyPage, at: number, side: (typeof SIDES)[number]): State {
  const lines = Array.from({ length: LINES }, (_, line) => `page ${at} line ${line}`)
  const start = { path: `/page-${at}`, html: `${lines.join('\n')}\n`, hasSidecar: !isDerived }
  if (side === 'base') return start
  const { to, line, givesSidecar } = acts[side]
  if (line !== undefined && line >= 0) lines[line] = `${side} changed ${line}`
  return {
    path: to === undefined ? start.path : `/${to}-${at}`,
    html: line === -1 ? undefined : `${lines.join('\n')}\n`,
    hasSidecar: start.hasSidecar || givesSidecar || to !== undefined,
  }
}

function filesOf(page: AnyPage, at: number, side: (typeof SIDES)[number]): [string, string][] {
  return filesAt(page, at, stateOf(page, at, side))
}

function filesAt({ isDerived }: AnyPage, at: number, { path, html, hasSidecar }: State): [string, string][] {
  const id = isDerived ? derivePageId(SITE.id, `/page-${at}`) : `0a000000-0000-4000-8000-00000000000${at}`
  return [
    ...(html === undefined ? [] : [[`${path.slice(1)}.html`, html] as [string, string]]),
    ...(hasSidecar ? [sidecar(id, path)] : []),
  ]
}

function sidecar(id: string, path: string): [string, string] {
  return [sidecarPathOf(id), encodeSidecar({ path: parsePagePath(path), title: null, templateId: null }).toString()]
}
