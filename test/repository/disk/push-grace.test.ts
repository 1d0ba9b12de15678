import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PushGrace } from '../../../src/repository/pushing/push-grace.js'

const [HEAD, PUSHED] = ['1'.repeat(40), '2'.repeat(40)]

describe('the pause for a push', () => {
  let gitdir: string
  let grace: PushGrace
  let marks: number
  beforeEach(() => {
    gitdir = mkdtempSync(join(tmpdir(), 'palimpsest-pause-'))
    for (const folder of ['palimpsest/pushers', 'refs/heads']) mkdirSync(join(gitdir, folder), { recursive: true })
    marks = 0
    mark()
    moveMain(HEAD)
    grace = new PushGrace(gitdir)
  })
  afterEach(() => rmSync(gitdir, { recursive: true, force: true }))

  /** Leaves a mark, as git does for each push by path. */
  const mark = () => utimesSync(join(gitdir, 'palimpsest', 'pushers'), 1, 1_700_000_000 + ++marks)
  const moveMain = (oid: string) => writeFileSync(join(gitdir, 'refs/heads/main'), `${oid}\n`)
  const makeBusy = () => [0, 100].forEach((now) => assert.equal(grace.holdFor(now), 0))
  /** Asks again and again, as a queue does. Returns when main may move. */
  function endOfHold(from: number): number {
    for (let now = from; ; ) {
      const wait = grace.holdFor(now)
      if (wait === 0) return now
      assert.ok(wait <= 50, `looks again after ${wait} ms`)
      now += wait
    }
  }

  it('keeps main still for a while once git has left a mark at a busy site', () => {
    makeBusy()
    mark()
    assert.equal(endOfHold(200), 5200)
  })

  it('does not begin for a mark from before, or a site that is written to now and then', () => {
    makeBusy()
    assert.equal(endOfHold(200), 200)
    mark()
    assert.equal(endOfHold(5000), 5000)
  })

  it('goes on for no longer with further marks, and then lets main move for half as long', () => {
    makeBusy()
    for (const now of [200, 1500, 3000, 4500]) {
      mark()
      assert.ok(grace.holdFor(now) > 0)
    }
    assert.equal(endOfHold(4501), 5200)
    mark()
    for (const now of [7000, 7500]) assert.equal(endOfHold(now), now)
    assert.ok(grace.holdFor(7700) > 0, 'the mark counts once that time is over')
  })

  it('ends as soon as the push has landed, for which it has left a mark again', () => {
    makeBusy()
    mark()
    assert.ok(grace.holdFor(200) > 0)
    mark()
    moveMain(PUSHED)
    for (const now of [250, 300, 350, 600]) assert.equal(grace.holdFor(now), 0)
  })

  it('goes on while signs of a push over HTTP come, and ends when it has landed', () => {
    makeBusy()
    for (const now of [200, 350, 500]) assert.equal(grace.expectPush(now), 0)
    assert.ok(grace.holdFor(890) > 0)
    grace.pushLanded(890)
    assert.equal(grace.holdFor(890), 0)
    assert.equal(grace.expectPush(1000), 235)
  })

  it('ends without a sign, also for a push over HTTP', () => {
    makeBusy()
    grace.expectPush(200)
    assert.equal(endOfHold(200), 600)
  })
})
