// Reports for health what a node knows of itself and the others without asking them. Programs on other machines get numbers in place of
// slugs and addresses.

import type { LiveNode, PrimaryState } from './beat.js'

export interface NodeReport {
  /** State as of this node's last write to the database. */
  database: PrimaryState
  /** The reason why this node takes no writes, in a sentence fit for everyone; null if it takes them. */
  writeFault: string | null
  /** The time up to which this node has every change; later changes may be missing. */
  completeAsOf: Date
  /** Slugs of the sites that this node cannot bring to their newest version. */
  behind: readonly string[]
  /** This node first, then the other live nodes. */
  nodes: readonly LiveNode[]
  /** The reason why the database last failed to answer. */
  lastError: { message: string; at: Date } | null
}

/** Returns the report for a program on this machine, or (`isTold` is false) on another one. */
export function showReport(report: NodeReport, isTold: boolean): object {
  if (isTold) return report
  const { database, writeFault, behind, nodes } = report
  return { database: { promise: database.promise }, writeFault, behind: behind.length, nodes: nodes.length }
}
