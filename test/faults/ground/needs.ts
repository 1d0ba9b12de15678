// Tools and rights that fault programs need from the machine, and where to get them.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findPrograms } from '../../servers/postgres-server.js'
import type { Need } from '../program.js'

const MISSING: Readonly<Record<Need, string>> = {
  iproute2: 'ip is not there (Debian: apt-get install iproute2)',
  postgres: 'PostgreSQL is not there (Debian: apt-get install postgresql)',
  previous: 'PREVIOUS_PROGRAM does not name the palimpsest.js of an earlier build',
  prlimit: 'prlimit is not there (Debian: apt-get install util-linux)',
  root: 'only root can mount a file system',
  strace: 'strace is not there (Debian: apt-get install strace)',
  xfsprogs: 'xfs_io is not there (Debian: apt-get install xfsprogs)',
}

/** The reason why a program with these needs cannot run here; undefined if it can. */
export function findMissing(needs: readonly Need[]): string | undefined {
  const missing = needs.filter((need) => !isThere(need)).map((need) => MISSING[need])
  return missing.length === 0 ? undefined : missing.join('; ')
}

function isThere(need: Need): boolean {
  if (need === 'root') return process.getuid?.() === 0
  if (need === 'postgres') return findPrograms() !== undefined
  if (need === 'previous') return existsSync(process.env['PREVIOUS_PROGRAM'] ?? '')
  const program = { iproute2: 'ip', xfsprogs: 'xfs_io' }[need as string] ?? need
  return spawnSync(program, ['-V']).error === undefined
}
