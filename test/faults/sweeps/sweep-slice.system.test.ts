import assert from 'node:assert/strict'
import { utimesSync, writeFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { put } from '../../scenarios/client.js'
import { Ground } from '../ground/ground.js'
import { sweepByError } from './error-sweep.js'
import { sweepByKill } from './kill-sweep.js'
import { findMissing } from '../ground/needs.js'
import { OPERATIONS } from './operations.js'
import { REQUEST_OPERATIONS } from './request-operations.js'
import type { Report } from '../program.js'
import { ERRORS, everyCall, KILL } from '../ground/strace.js'

/** Collects the violations that `npm run faults` would print. */
class Troubles implements Report {
  cases = 0
  readonly found: string[] = []
  begin(): void {
    this.cases++
  }
  acknowledge(): void {
    // Only `npm run faults` counts them.
  }
  lose(what: string): void {
    this.found.push(`lost: ${what}`)
  }
  violate(what: string): void {
    this.found.push(what)
  }
  miss(what: string): void {
    this.found.push(`not reached: ${what}`)
  }
}

const create = OPERATIONS.filter(({ name }) => name === 'create')
const batch = OPERATIONS.filter(({ name }) => name === 'batch')
const requests = REQUEST_OPERATIONS.filter(({ name }) => /begin|write|publish/.test(name))
const eio = ERRORS.filter(({ name }) => name === 'EIO')
const edquot = ERRORS.filter(({ name }) => name === 'EDQUOT')
const emfile = ERRORS.filter(({ name }) => name === 'EMFILE')
/** The first call of any thread. */
const FIRST = { threads: 'all threads', k: 1 } as const
/** After this the times of a file tell whether it was changed (ref.ts). */
const SETTLED_MS = 50

describe('a publish during which a system call is killed or fails', () => {
  let ground: Ground

  before(async () => {
    assert.equal(findMissing(['strace']), undefined)
    ground = await Ground.prepare()
  })
  after(() => ground?.destroy())

  it('has happened completely or not at all after a kill there, and the next one goes through', async () => {
    const troubles = new Troubles()
    const harm = { ...KILL, calls: ['link', 'rename', 'fsync'] }
    for (const operation of create) await sweepByKill(ground, operation, harm, troubles, everyCall(4))
    // The speed depends on the load of the machine: `npm run faults` judges it.
    const found = troubles.found.filter((what) => !/the first write took/.test(what))
    assert.deepEqual(found, [])
    assert.ok(troubles.cases >= 6, `${troubles.cases} cases`)
  })

  it('is whole or not there in a change request too, which is begun or not, and published once or not', async () => {
    const troubles = new Troubles()
    const harm = { ...KILL, calls: ['link', 'rename', 'fsync'] }
    for (const operation of requests) await sweepByKill(ground, operation, harm, troubles, everyCall(4))
    const found = troubles.found.filter((what) => !/the first write took/.test(what))
    assert.deepEqual(found, [])
    assert.ok(troubles.cases >= 6, `${troubles.cases} cases`)
  })

  it('is refused when the call fails, and succeeds without a restart once the disk works again', async () => {
    const troubles = new Troubles()
    for (const harm of eio) {
      const few = { ...harm, calls: ['unlink', 'pwrite64', 'fsync'] }
      for (const operation of create) await sweepByError(ground, operation, few, troubles, everyCall(6))
    }
    assert.deepEqual(troubles.found, [])
    assert.ok(troubles.cases >= 8, `${troubles.cases} cases`)
  })

  it('is answered 503 with its whole batch when the call fails, and no operation is named as the cause', async () => {
    const troubles = new Troubles()
    for (const harm of emfile) {
      for (const operation of batch) await sweepByError(ground, operation, harm, troubles, everyCall(4))
    }
    assert.deepEqual(troubles.found, [])
    assert.ok(troubles.cases >= 4, `${troubles.cases} cases`)
  })

  it('of a change request is refused when a folder cannot be made, and succeeds once it can', async () => {
    const troubles = new Troubles()
    for (const harm of edquot) {
      for (const operation of requests) await sweepByError(ground, operation, { ...harm, calls: ['mkdir'] }, troubles)
    }
    assert.deepEqual(troubles.found, [])
    assert.ok(troubles.cases >= 4, `${troubles.cases} cases`)
  })

  it('is answered as done when it is sent again after an answer of unknown outcome', async () => {
    const [operation] = create
    const [harm] = eio
    assert.ok(operation && harm)
    const trial = await operation.prepare(ground, 'unknown')
    // The rename of the ref was made, and is not synced.
    const tracer = await ground.harm({ harm: { ...harm, on: ['demo.git/refs/heads'] }, call: 'fsync', ...FIRST })
    const sent = await trial.send()
    await tracer.detach()
    assert.deepEqual([sent.status, sent.body.error?.code], [503, 'outcome_unknown'])
    const { status, body } = await trial.send()
    assert.equal(status, 200, JSON.stringify(body))
  })

  it('lets readers be served when main cannot be read from the disk', async () => {
    await put(ground.api, '/read', 'read')
    assert.equal(await ground.visit('/read'), 'read')
    const [harm] = eio
    assert.ok(harm)
    // Changed without a move: the ref must be read.
    const main = join(ground.gitdir(), 'refs', 'heads', 'main')
    utimesSync(main, new Date(), new Date())
    await pause(SETTLED_MS)
    // Node opens files of its own now and then, such as those of /proc.
    const onMain = { ...harm, on: ['demo.git/refs/heads/main'], lasting: true } as const
    const tracer = await ground.harm({ harm: onMain, call: 'openat', ...FIRST })
    try {
      assert.equal(await ground.visit('/read'), 'read')
    } finally {
      assert.match((await tracer.detach())?.line ?? '', /refs\/heads\/main/)
    }
  })

  it('is not blamed for a lock that git holds for a moment', async () => {
    const lock = join(ground.gitdir(), 'packed-refs.lock')
    writeFileSync(lock, '')
    const looking = ground.leftovers()
    await pause(SETTLED_MS)
    rmSync(lock)
    assert.deepEqual(await looking, [])
  })
})
