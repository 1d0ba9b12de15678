// Makes the answer to a push to refs/for/main: which change request has it, what it changes, and how to go on.

import type { ChangeRequest } from '../../catalog/requests/change-requests.js'
import type { PushReport } from '../../git/wire/push-report.js'
import { pushNote } from '../../repository/pushing/judge/push-messages.js'
import type { PushedChange } from '../../repository/pushing/review-push.js'
import type { JudgedProposal } from './judge-proposal.js'
import { DRY_RUN, listChanges } from './report-push.js'

const VERBS = { published: 'adds', replaced: 'replaces', removed: 'removes' } as const

/** `row` is undefined for a dry run. */
export function reportProposed(push: JudgedProposal, row: ChangeRequest | undefined): PushReport {
  const refusal = row === undefined ? DRY_RUN : null
  const head =
    row === undefined
      ? 'would propose this; nothing would be live'
      : `change request ${row.number} has it, and nothing of it is live`
  return {
    unpackError: null,
    refs: push.commands.map(({ ref }) => ({ ref, refusal })),
    lines: [
      ...push.lines,
      ...listChanges(push, pushNote(head), wordOf),
      ...(row === undefined ? [] : nextSteps(push, row)),
    ],
  }
}

function wordOf({ kind }: PushedChange): string {
  return VERBS[kind]
}

function nextSteps({ site }: JudgedProposal, { id, number }: ChangeRequest): string[] {
  return [
    pushNote(`to look at it: palimpsest changes show ${number} --site ${site.slug}`),
    pushNote(`to add commits: git push <remote> HEAD:refs/for/main/${number}`),
    pushNote(`its id for programs: ${id}`),
  ]
}
