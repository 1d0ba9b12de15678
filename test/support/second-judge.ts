// isomorphic-git as a second judge in addition to git: after a file of scenarios it reads the repositories that they leave.

import { createHash } from 'node:crypto'
import fs, { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as isomorphic from 'isomorphic-git'
import { git } from './git.js'
import { listProcesses } from '../programs/processes.js'
import { until } from './within.js'

/** Longer histories take isomorphic-git seconds: `npm run faults` has them read. */
const MAX_COMMITS = 500
/** Repositories that a scenario damages. */
const exceptions = new Set<string>()
let currentFile = ''

/** Root hooks (mocha --require): they tell which file is running. */
export const mochaHooks = {
  beforeEach(this: Mocha.Context) {
    currentFile = this.currentTest?.file ?? ''
  },
}

/** Excludes a repository that a scenario damages, or fills with trees that isomorphic-git refuses. */
export function exceptFromJudgement(gitdir: string): void {
  exceptions.add(gitdir)
}

/** Reads these repositories at the end of a service, or of a workspace in one, in a file of scenarios. Does nothing elsewhere. */
export async function judgeScenario(gitdirs: readonly string[]): Promise<void> {
  if (!currentFile.includes('/test/scenarios/')) return
  for (const gitdir of gitdirs) if (!exceptions.has(gitdir)) await judgeAtRest(gitdir)
}

/** Judges all sites in a data directory. */
export async function judgeDataDir(dataDir: string): Promise<void> {
  if (!existsSync(dataDir)) return
  const sites = readdirSync(dataDir).filter((name) => /^[a-z0-9-]+\.git$/.test(name))
  await judgeScenario(sites.map((name) => join(dataDir, name)))
}

/** A maintenance by git goes on for a moment where its service was killed, and replaces packs while they are read: it is waited for. */
async function judgeAtRest(gitdir: string): Promise<void> {
  const isAtWork = () => listProcesses().some(({ command, cwd }) => `${cwd} ${command}`.includes(gitdir))
  await until(isAtWork, (isBusy) => !isBusy)
  await judgeRepository(gitdir, MAX_COMMITS)
}

/** Throws unless isomorphic-git finds the same history and files as git, with the bytes that their ids stand for. */
export async function judgeRepository(gitdir: string, maxCommits = Number.POSITIVE_INFINITY): Promise<void> {
  const commits = git(gitdir, 'rev-list', 'main').split('\n')
  if (commits.length > maxCommits) return
  const repository = { fs, gitdir, cache: {} }
  const log = await isomorphic.log({ ...repository, ref: 'main' })
  assertSame(
    `the history of ${gitdir}`,
    log.map(({ oid }) => oid),
    commits,
  )
  const files: string[] = []
  await isomorphic.walk({
    ...repository,
    trees: [isomorphic.TREE({ ref: 'main' })],
    async map(path, [entry]) {
      if (!entry || (await entry.type()) !== 'blob') return
      const [oid, content] = [await entry.oid(), await entry.content()]
      if (content === undefined || hashBlob(content) !== oid) throw new Error(`isomorphic-git reads ${path} otherwise`)
      files.push(`${oid} ${path}`)
    },
  })
  const listed = git(gitdir, 'ls-tree', '-r', '-z', 'main').split('\0')
  const blobs = listed.flatMap((line) => /^\d+ blob (.*)$/s.exec(line)?.[1]?.replace('\t', ' ') ?? [])
  assertSame(`the files of ${gitdir}`, files, blobs)
}

function assertSame(what: string, theirs: readonly string[], gits: readonly string[]): void {
  const [read, known] = [new Set(theirs), new Set(gits)]
  const differing = [...theirs.filter((line) => !known.has(line)), ...gits.filter((line) => !read.has(line))]
  if (differing.length > 0) throw new Error(`isomorphic-git and git differ on ${what}: ${differing.join(', ')}`)
}

function hashBlob(content: Uint8Array): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
}
