// The protocol's own conformance suite for servers, in both revisions, and the meaning of its checks here.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunProgram } from './fetched-programs.js'
import { type Exception, NOT_APPLICABLE } from './not-applicable.js'

const REVISIONS = ['2025-11-25', '2026-07-28'] as const

/** A check as the suite writes it. */
interface Check {
  id: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  errorMessage?: string
}

export interface Verdict {
  revision: string
  scenario: string
  passed: number
  /** Checks that apply and failed, or were warned of, each in a line. */
  failed: string[]
  warned: string[]
  notApplicable: number
  /** Why those do not apply. */
  because: string[]
}

export interface SuiteResult {
  verdicts: Verdict[]
  /** Exceptions that no check needed: they are to be removed. */
  unneeded: Exception[]
}

/** `folder` is for the suite's own results. Throws when the suite does not come to its end. */
export async function runSuite(runProgram: RunProgram, url: string, folder: string): Promise<SuiteResult> {
  const used = new Set<Exception>()
  const verdicts: Verdict[] = []
  for (const revision of REVISIONS) {
    const results = join(folder, revision)
    const options = ['--suite', 'all', '--spec-version', revision, '--output-dir', results]
    const { stdout, stderr } = await runProgram('conformance', ['server', '--url', url, ...options])
    if (!/^Total: \d+ passed/m.test(stdout)) throw new Error(`the suite of ${revision} broke off: ${stderr}`)
    for (const name of readdirSync(results).toSorted()) {
      const [, scenario = name] = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name) ?? []
      const checks = JSON.parse(readFileSync(join(results, name, 'checks.json'), 'utf8')) as Check[]
      verdicts.push(judge(revision, scenario, checks, used))
    }
  }
  return { verdicts, unneeded: NOT_APPLICABLE.filter((exception) => !used.has(exception)) }
}

function judge(revision: string, scenario: string, checks: readonly Check[], used: Set<Exception>): Verdict {
  const passed = checks.filter(({ status }) => status === 'SUCCESS').length
  const verdict: Verdict = { revision, scenario, passed, failed: [], warned: [], notApplicable: 0, because: [] }
  for (const { id, status, errorMessage = '' } of checks) {
    if (status !== 'FAILURE' && status !== 'WARNING') continue
    const exception = NOT_APPLICABLE.find((known) => known.scenarios.test(scenario) && known.checks?.test(id) !== false)
    if (exception === undefined) {
      verdict[status === 'FAILURE' ? 'failed' : 'warned'].push(`${revision} ${scenario}: ${id}: ${errorMessage}`)
    } else {
      used.add(exception)
      verdict.notApplicable += 1
      if (!verdict.because.includes(exception.because)) verdict.because.push(exception.because)
    }
  }
  return verdict
}
