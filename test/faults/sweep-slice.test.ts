import assert from 'node:assert/strict'
import { Ground } from './ground.js'
import { sweepByError } from './error-sweep.js'
import { sweepByKill } from './kill-sweep.js'
import { findMissing } from './needs.js'
import { OPERATIONS } from './operations.js'
import type { Report } from './program.js'
import { ERRORS, KILL } from './strace.js'

/** What a program of `npm run faults` would have printed. */
class Troubles implements Report {
  cases = 0
  readonly found: string[] = []
  begin(): void {
    this.cases++
  }
  acknowledge(): void {
    // Only the whole run counts them.
  }
  lose(what: string): void {
    this.found.push(`lost: ${what}`)
  }
  violate(what: string): void {
    this.found.push(what)
  }
}

const create = OPERATIONS.filter(({ name }) => name === 'create')
const eio = ERRORS.filter(({ name }) => name === 'EIO')

describe('a publish that meets harm at a system call', function () {
  this.timeout(60_000)
  let ground: Ground

  before(async function () {
    const missing = findMissing(['strace'])
    if (missing !== undefined) {
      console.log(`    skipped: ${missing}`)
      this.skip()
    }
    ground = await Ground.prepare()
  })
  after(() => ground?.destroy())

  it('and is killed there is whole or has not happened, and the next is quick', async () => {
    const troubles = new Troubles()
    const harm = { ...KILL, calls: ['link', 'rename', 'fsync'] }
    for (const operation of create) await sweepByKill(ground, operation, troubles, harm, 2)
    assert.deepEqual(troubles.found, [])
    assert.ok(troubles.cases >= 6, `${troubles.cases} cases`)
  })

  it('and fails there is refused, and made without a restart once the disk is well', async () => {
    const troubles = new Troubles()
    for (const harm of eio) {
      const few = { ...harm, calls: ['unlink', 'pwrite64', 'fsync'] }
      for (const operation of create) await sweepByError(ground, operation, few, troubles, 3)
    }
    assert.deepEqual(troubles.found, [])
    assert.ok(troubles.cases >= 8, `${troubles.cases} cases`)
  })
})
