// The common parts of the rows of the table of limits.

import type { GateRule } from './gate.js'
import type { Refusal } from './refused.js'

/** The settings that limits follow from. */
export interface Sizes {
  memoryBytes: number
  taskProcesses: number
  /** Requests of one workspace; 0 for no limit. */
  maxRequestsPerMinute: number
  maxSearchesPerAddress: number
}

export const MIB = 1024 * 1024

export const DEFAULT_SIZES: Sizes = {
  memoryBytes: 256 * MIB,
  taskProcesses: 2,
  maxRequestsPerMinute: 60_000,
  maxSearchesPerAddress: 60,
}

export interface Row {
  what: string
  /** The setting of docs/configuration.md that the number follows from. */
  setting?: string
  /** The ones whose work, bytes or requests are counted together. */
  owner: string
}

export interface GateRow extends Row, Omit<GateRule, 'atOnce' | 'each'> {
  atOnce: (sizes: Sizes) => number
  each: number | 'half' | 'all but one'
  /** Said instead of the refusal, in words. */
  heard?: string
}

export function busy(message: string, retryAfterSeconds = 1): Refusal {
  return { status: 503, code: 'service_busy', message, retryAfterSeconds }
}

/** Stands where nothing is ever refused. */
export const NEVER = busy('The service is too busy.')

export function full(message: string): Refusal {
  return { status: 503, code: 'queue_full', message, retryAfterSeconds: 1 }
}
