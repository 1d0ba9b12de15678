// A push over HTTP in progress, and the words of its refusal.

import type { Site } from '../../catalog/sites.js'
import type { PushReport } from '../../git/wire/push-report.js'
import type { RefCommand } from '../../git/wire/push-request.js'
import type { Principal } from '../../model/principal.js'

export interface ReceivedPush {
  site: Site
  principal: Principal
  commands: readonly RefCommand[]
  commandCount: number
  options: readonly string[]
  isShallow: boolean
  /** The bytes that follow the commands. */
  pack: AsyncIterable<Buffer>
  /** Aborts when the client has gone. */
  signal: AbortSignal
}

export interface Refusals {
  lines: readonly string[]
  /** Reasons that concern single refs. */
  byRef: ReadonlyMap<string, string>
}

export const MOVED = 'palimpsest: refused: main has moved meanwhile: git pull --rebase, then push again.'

export function refusalsOf(byRef: ReadonlyMap<string, string>): Refusals {
  return { lines: Array.from(byRef, ([ref, reason]) => `palimpsest: refused: ${ref}: ${reason}.`), byRef }
}

/** Refuses all refs: if one is refused, so are the others. */
export function refuse(
  { commands }: ReceivedPush,
  lines: readonly string[],
  byRef: ReadonlyMap<string, string> = new Map(),
): PushReport {
  const reason = byRef.size === 0 ? 'see the lines above' : 'refused with another ref of this push'
  return { unpackError: null, refs: commands.map(({ ref }) => ({ ref, refusal: byRef.get(ref) ?? reason })), lines }
}
