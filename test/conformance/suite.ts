// The protocol's own conformance suite for servers, in both revisions.

import { join } from 'node:path'
import type { Programs } from './fetched-programs.js'
import type { Judge, Verdict } from './judge.js'

export const REVISIONS = ['2025-11-25', '2026-07-28'] as const

/** `folder` is for the suite's own results. Throws when the suite does not come to its end. */
export async function runSuite(programs: Programs, judge: Judge, url: string, folder: string): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  for (const revision of REVISIONS) {
    const results = join(folder, revision)
    const options = ['--suite', 'all', '--spec-version', revision, '--output-dir', results]
    const { stdout, stderr } = await programs.run('conformance', ['server', '--url', url, ...options])
    if (!/^Total: \d+ passed/m.test(stdout)) throw new Error(`the suite of ${revision} broke off: ${stderr}`)
    verdicts.push(...judge.judgeResults(revision, results, 'server'))
  }
  return verdicts
}
