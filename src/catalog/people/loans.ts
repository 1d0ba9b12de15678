// Ways in that an owner lends a member: each opens one workspace, and only while those who made it own that workspace.

import type { LoanColumns } from '../database/people-tables.js'
import { joinWords, splitWords } from '../database/word-list.js'

export interface Loan {
  /** The only workspace that it opens. Empty, so none: a way in of before, which owners of several workspaces may have made. */
  workspaceId: string
  /** The people who made it; of a way in of before, all who may have made it. */
  makerIds: readonly string[]
}

export function readLoan({ bound_to: workspaceId, lent_by: makers }: LoanColumns): Loan | null {
  return workspaceId === null ? null : { workspaceId, makerIds: splitWords(makers ?? '') }
}

export function loanColumns(loan: Loan | null): LoanColumns {
  return { bound_to: loan?.workspaceId ?? null, lent_by: loan && joinWords(loan.makerIds) }
}
