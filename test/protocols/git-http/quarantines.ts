// The folders of a repository in which pushes wait for their judgement.

import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PATIENCE_MS, within } from '../../support/within.js'

export function quarantinesIn(gitdir: string): string[] {
  return readdirSync(join(gitdir, 'palimpsest')).filter((name) => name.startsWith('push-'))
}

/** A quarantine goes right after the answer to its push. Fails where one stays. */
export async function untilNoQuarantine(gitdir: string): Promise<void> {
  await within(PATIENCE_MS, () => assert.deepEqual(quarantinesIn(gitdir), []))
}
