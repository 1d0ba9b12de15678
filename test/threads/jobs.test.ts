import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ServiceError } from '../../src/model/errors.js'
import { failureOf, type Said } from '../../src/threads/messages.js'
import { Jobs, type Steps } from '../../src/threads/jobs.js'

interface Words {
  request: string
  answer: string
  event: never
}

const TURN_MS = 5

describe('jobs in steps', () => {
  let said: Said<Words>[]
  let jobs: Jobs<Words>

  beforeEach(() => {
    said = []
    jobs = new Jobs<Words>({
      turnMs: TURN_MS,
      say: (message) => said.push(message),
      failureOf: (error) => failureOf(error instanceof ServiceError ? error : new ServiceError('internal', 'lost')),
    })
  })

  it('take turns, and let the thread receive messages between two turns', async () => {
    const turns: string[] = []
    for (const name of ['a', 'b']) jobs.add(name, 1, () => slowSteps(name, () => turns.push(name)))
    await nextTurn()
    const afterOne = [...turns]
    while (said.length < 2) await nextTurn()
    assert.deepEqual({ afterOne, all: turns }, { afterOne: ['a'], all: ['a', 'b', 'a', 'b'] })
  })

  it('answer each request that waits for the same job, which is started once', async () => {
    let begun = 0
    for (const ticket of [1, 2]) {
      jobs.add('a', ticket, () => {
        begun++
        return steps('done', () => true)
      })
    }
    await nextTurn()
    assert.equal(begun, 1)
    assert.deepEqual(said, [{ replies: [1, 2].map((ticket) => ({ ticket, answer: 'done' })) }])
  })

  it('answer with the failure of a step, and continue with the others', async () => {
    jobs.add('a', 1, () =>
      steps('never', () => {
        throw new ServiceError('site_busy', 'Not now.')
      }),
    )
    jobs.add('b', 2, () => steps('done', () => true))
    while (said.length < 2) await nextTurn()
    assert.deepEqual(said, [
      { replies: [{ ticket: 1, failure: { code: 'site_busy', message: 'Not now.' } }] },
      { replies: [{ ticket: 2, answer: 'done' }] },
    ])
  })

  it('are closed when they are given up, and return their tickets to the caller', async () => {
    let isClosed = false
    jobs.add('a', 1, () => ({ ...steps('never', () => false), close: () => (isClosed = true) }))
    assert.deepEqual({ tickets: jobs.giveUp('a'), isClosed }, { tickets: [1], isClosed: true })
    await nextTurn()
    assert.deepEqual({ said, again: jobs.giveUp('a') }, { said: [], again: [] })
  })
})

function steps(answer: string, advance: () => boolean): Steps<string> {
  return { answer, advance, close: () => undefined }
}

/** Each step takes a turn. */
function slowSteps(name: string, onStep: () => void, count = 2): Steps<string> {
  let left = count
  return steps(name, () => {
    onStep()
    for (const end = performance.now() + TURN_MS; performance.now() < end; );
    return --left === 0
  })
}
