// Ways in that an owner lends a member: each opens one workspace, and only while those who made it own that workspace.

import type { Row } from '../database/catalog-database.js'
import { joinWords, splitWords } from '../database/word-list.js'

export interface Loan {
  /** The only workspace that it opens. Empty, so none: a way in of before, which owners of several workspaces may have made. */
  workspaceId: string
  /** The people who made it; of a way in of before, all who may have made it. */
  makerIds: readonly string[]
}

type LoanColumns = Pick<Row<'sessions'>, 'boundTo' | 'lentBy'>

/** A way in as the service uses it. Without a loan it opens all workspaces of its person. */
export type WithLoan<WayIn extends LoanColumns> = Omit<WayIn, keyof LoanColumns> & { loan: Loan | null }

export function readWayIn<WayIn extends LoanColumns>({ boundTo, lentBy, ...own }: WayIn): WithLoan<WayIn> {
  return { ...own, loan: readLoan({ boundTo, lentBy }) }
}

export function readLoan({ boundTo, lentBy }: LoanColumns): Loan | null {
  return boundTo === null ? null : { workspaceId: boundTo, makerIds: splitWords(lentBy ?? '') }
}

export function loanColumns(loan: Loan | null): LoanColumns {
  return { boundTo: loan?.workspaceId ?? null, lentBy: loan && joinWords(loan.makerIds) }
}
