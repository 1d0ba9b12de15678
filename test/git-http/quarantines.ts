// The folders of a repository in which pushes wait for their judgement.

import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const MAX_WAIT_MS = 10_000

export function quarantinesIn(gitdir: string): string[] {
  return readdirSync(join(gitdir, 'palimpsest')).filter((name) => name.startsWith('push-'))
}

/** A quarantine goes right after the answer to its push. Fails where one stays. */
export async function untilNoQuarantine(gitdir: string): Promise<void> {
  for (const end = Date.now() + MAX_WAIT_MS; quarantinesIn(gitdir).length > 0 && Date.now() < end; ) await pause(20)
  assert.deepEqual(quarantinesIn(gitdir), [])
}
