import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { isSlug } from '../../../src/model/hosts/slug.js'
import { ERRORS, KILL, MAX_CALLS, nameOf, waysOf } from '../ground/strace.js'
import { PUSHES } from '../pushes/push-operations.js'
import { OPERATIONS } from './operations.js'
import { REQUEST_OPERATIONS } from './request-operations.js'
import { findHarmed, readCalls, type SeenCall } from '../ground/strace-log.js'
import { chooseCalls, Reach } from './plan.js'

/** Calls as they are in the log of strace, on files of two kinds, and on what threads wake one another by. */
const anyLog = fc.array(
  fc
    .tuple(
      fc.integer({ min: 1, max: 4 }),
      fc.constantFrom('</data/a.git/HEAD>', '</data/catalog.db-wal>', '<anon_inode:[eventfd]>'),
      fc.constantFrom('write', 'fsync', 'read'),
    )
    .map(([thread, file, name]) => `${thread} ${name}(7${file}, ""..., 8) = 8`),
  { maxLength: 60 },
)

function numbersOf(seen: readonly SeenCall[]): number[] {
  return chooseCalls(seen).map(({ k }) => k)
}

/** Whether one of the chosen cases strikes this very call. */
function strikes(seen: readonly SeenCall[], call: SeenCall): boolean {
  return chooseCalls(seen).some(({ k, steps }) => k === call.number && steps?.has(call.step) === true)
}

describe('the plan of a sweep', () => {
  it('has every call that may change a file, in each thread', () => {
    fc.assert(
      fc.property(anyLog, (log) => {
        const seen = readCalls(log, '/data/')
        for (const call of seen.filter(({ isChange }) => isChange)) assert.ok(strikes(seen, call), call.line)
      }),
    )
  })

  it('has the first and the last read on each kind of file, in some thread that makes it', () => {
    fc.assert(
      fc.property(anyLog, (log) => {
        const seen = readCalls(log, '/data/')
        const reads = seen.filter(({ isChange }) => !isChange)
        for (const file of new Set(reads.map((read) => read.file))) {
          for (const which of [0, -1]) {
            const ends = [1, 2, 3, 4].flatMap(
              (own) =>
                reads.filter((read) => read.file === file && read.name === 'read' && read.thread === own).at(which) ??
                [],
            )
            const isRead = ends.length > 0
            assert.equal(
              ends.some((call) => strikes(seen, call)),
              isRead,
              file,
            )
          }
        }
      }),
    )
  })

  it('has few calls where most are reads that are alike', () => {
    const log = Array.from({ length: 200 }, () => '1 read(7</data/a.git/HEAD>, ""..., 8) = 8')
    assert.deepEqual(numbersOf(readCalls(log, '/data/')), [1, 200])
  })

  it('counts calls as strace does: each name of each thread by itself', () => {
    const log = [
      '1 rename("/data/a", "/data/b") = 0',
      '2 rename("/data/a", "/data/c") = 0',
      '1 renameat(3</data>, "d") = 0',
    ]
    assert.deepEqual(
      readCalls(log, '/data/').map(({ number }) => number),
      [1, 1, 1],
    )
  })

  it('takes a file that is opened to be made for a change, and any other for a read', () => {
    const log = [
      '1 openat(AT_FDCWD, "/data/a", O_RDONLY) = 3',
      '1 openat(AT_FDCWD, "/data/b", O_WRONLY|O_CREAT, 0666) = 4',
    ]
    assert.deepEqual(
      readCalls(log, '/data/').map(({ isChange }) => isChange),
      [false, true],
    )
  })

  it('takes files for one kind that differ by an id, its start, or a name by chance', () => {
    const paths = ['pack/tmp_pack_Umpxvi', 'pack/tmp_pack_a1B2c3', 'index/df/df01.db', 'index/4a/4a02.db']
    const log = paths.map((path) => `1 openat(AT_FDCWD, "/data/${path}", O_CREAT) = 3`)
    assert.deepEqual(
      readCalls(log, '/data').map(({ file }) => file),
      ['/pack/tmp_pack', '/pack/tmp_pack', '/index/*/*.db', '/index/*/*.db'],
    )
  })

  it('says which steps no case struck, whatever else was struck', () => {
    const seen = readCalls(['1 fsync(7</data/a.git/HEAD>) = 0', '1 fsync(8</data/catalog.db-wal>) = 0'], '/data/')
    const [chosen, next] = chooseCalls(seen)
    assert.ok(chosen && next)
    const reach = new Reach()
    assert.equal(reach.note(chosen, seen[0]), true)
    assert.equal(reach.note(next, seen[0]), true)
    assert.equal(reach.note(next, undefined), false)
    assert.deepEqual(reach.missing, ['fsync that changes catalog.db-wal'])
  })
})

describe('the name of a case', () => {
  it('may be the slug of a site, whatever the operation and the harm', () => {
    for (const { name } of [...OPERATIONS, ...REQUEST_OPERATIONS, ...PUSHES])
      for (const harm of [KILL, ...ERRORS])
        for (const { call, threads } of waysOf(harm)) {
          const id = nameOf(name, { harm, call, threads, k: MAX_CALLS - 1 })
          assert.ok(isSlug(id), id)
        }
  })
})

describe('the log of strace', () => {
  const made = ['1 fsync(7</data/a>) = 0', '2 fsync(7</data/b> <unfinished ...>', '1 fsync(7</data/c>) = 0']

  it('names the call that failed, also where another thread came between', () => {
    const log = [...made.slice(0, 2), '2 <... fsync resumed>) = -1 EIO (Input/output error) (INJECTED)', made[2]!]
    assert.equal(findHarmed(log, 1, '/data/')?.file, 'b')
  })

  it('names the call in which the process was killed, and none if it lived', () => {
    const log = [...made, '2 +++ killed by SIGKILL +++', '1 +++ killed by SIGKILL +++']
    assert.equal(findHarmed(log, 2, '/data/')?.file, 'c')
    assert.equal(findHarmed(made, 2, '/data/'), undefined)
  })
})
