// The meaning of the suite's checks here: each must pass, or has an exception with its reason.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Exception, NOT_APPLICABLE } from './not-applicable.js'

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

export class Judge {
  readonly #used = new Set<Exception>()

  /** Judges the results that a run left in a folder. `kind` is the word with which the suite begins their names. */
  judgeResults(revision: string, folder: string, kind: string): Verdict[] {
    const form = new RegExp(`^${kind}-(.+)-\\d{4}-\\d\\d-\\d\\dT[\\d-]+Z$`)
    return readdirSync(folder)
      .toSorted()
      .map((name) => {
        const checks = JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as Check[]
        return this.#judge(revision, form.exec(name)?.[1] ?? name, checks)
      })
  }

  /** Says why a scenario is not run. */
  leaveOut(scenario: string): Verdict {
    const exception = this.#exceptionOf(scenario)
    const verdict = emptyVerdict('all', scenario)
    if (exception === undefined) return { ...verdict, failed: [`${scenario} is not run, and nothing says why`] }
    return { ...verdict, notApplicable: 1, because: [exception.because] }
  }

  /** Returns the exceptions that no check needed: they are to be removed. */
  unneeded(): Exception[] {
    return NOT_APPLICABLE.filter((exception) => !this.#used.has(exception))
  }

  #judge(revision: string, scenario: string, checks: readonly Check[]): Verdict {
    const verdict = emptyVerdict(revision, scenario)
    verdict.passed = checks.filter(({ status }) => status === 'SUCCESS').length
    for (const { id, status, errorMessage = '' } of checks) {
      if (status !== 'FAILURE' && status !== 'WARNING') continue
      const exception = this.#exceptionOf(scenario, id)
      if (exception === undefined) {
        verdict[status === 'FAILURE' ? 'failed' : 'warned'].push(`${revision} ${scenario}: ${id}: ${errorMessage}`)
      } else {
        verdict.notApplicable += 1
        if (!verdict.because.includes(exception.because)) verdict.because.push(exception.because)
      }
    }
    return verdict
  }

  #exceptionOf(scenario: string, check = ''): Exception | undefined {
    const found = NOT_APPLICABLE.find(
      ({ scenarios, checks }) => scenarios.test(scenario) && checks?.test(check) !== false,
    )
    if (found !== undefined) this.#used.add(found)
    return found
  }
}

function emptyVerdict(revision: string, scenario: string): Verdict {
  return { revision, scenario, passed: 0, failed: [], warned: [], notApplicable: 0, because: [] }
}
