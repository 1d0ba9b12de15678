import assert from 'node:assert/strict'
import { ServiceError } from '../../../src/model/errors.js'
import { TaskPool } from '../../../src/tasks/task-pool.js'
import type { Tasks } from '../../../src/tasks/tasks.js'
import { ENTRIES } from '../../../src/threads/entries.js'
import { checkSchema, recordFaults } from '../../../src/usecases/records/record-checks.js'

/** Checking anything against it tries 2^30 ways: each level asks the next one twice. */
const exponential = {
  $ref: '#/$defs/level0',
  $defs: {
    ...Object.fromEntries(
      Array.from({ length: 30 }, (_, level) => [`level${level}`, askTwice(`#/$defs/level${level + 1}`)]),
    ),
    level30: { required: ['never'], properties: { never: false } },
  },
}

function askTwice($ref: string) {
  return { anyOf: [{ $ref }, { $ref }] }
}

const named = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }

function hasCode(code: string) {
  return (error: unknown) => error instanceof ServiceError && error.code === code
}

/** Returns the code of the refusal. A check that got little processor time is not blamed, and is made again. */
async function blame(check: () => Promise<unknown>): Promise<string> {
  for (;;) {
    const error = await check().then(
      () => assert.fail('it was accepted'),
      (refusal: unknown) => refusal,
    )
    if (!(error instanceof ServiceError)) throw error
    if (error.code !== 'service_busy') return error.code
  }
}

describe('the checks of records', () => {
  let tasks: Tasks

  function open(deadlineMs: number): void {
    tasks = new TaskPool({ entry: ENTRIES.taskWorker, processes: 2, deadlineMs })
  }

  beforeEach(() => open(60_000))
  afterEach(() => tasks.close())

  const validate = (workspaceId: string, definition: string, schema: object, data: Record<string, unknown>) =>
    recordFaults(tasks, workspaceId, { definition, schema, json: JSON.stringify(data) })

  it('report the faults of a record, and none for a valid one', async () => {
    assert.deepEqual(await validate('w', 'oid-1', named, { name: 'Ada' }), [])
    assert.deepEqual(await validate('w', 'oid-1', named, {}), [{ field: '/name', message: 'is required' }])
  })

  it('accept a very large harmless schema', async () => {
    const fields = Array.from({ length: 1200 }, (_, n) => [`field${n}`, { type: 'string', maxLength: 10 }])
    const large = { properties: Object.fromEntries(fields) }
    await checkSchema(tasks, 'w', large)
    const errors = await validate('w', 'oid', large, { field7: 'longer than ten' })
    assert.deepEqual(errors, [{ field: '/field7', message: 'is longer than 10 characters' }])
  })

  it('never mix up two definitions', async () => {
    const numbered = { properties: { name: { type: 'number' } } }
    const valid = await Promise.all([
      validate('w', 'oid-1', named, { name: 'Ada' }),
      validate('w', 'oid-2', numbered, { name: 1 }),
      validate('w', 'oid-1', named, { name: 'Bob' }),
    ])
    assert.deepEqual(valid, [[], [], []])
    assert.equal((await validate('w', 'oid-2', numbered, { name: 'Ada' })).length, 1)
  })

  it('accept a valid schema and name the faults of an invalid one', async () => {
    await checkSchema(tasks, 'w', named)
    await assert.rejects(checkSchema(tasks, 'w', { properties: { a: { pattern: '(?=a)' } } }), (error) => {
      assert.ok(error instanceof ServiceError && error.code === 'invalid_schema')
      assert.match(error.message, /\/properties\/a\/pattern/)
      assert.deepEqual(error.details, [
        {
          field: '/properties/a/pattern',
          message: 'is not a pattern that runs in linear time: no look-around and no back-references, RE2 syntax',
        },
      ])
      return true
    })
    await assert.rejects(checkSchema(tasks, 'w', []), hasCode('invalid_schema'))
  })

  it('refuse to use a schema that was pushed without a check', async () => {
    await assert.rejects(validate('w', 'oid', { $ref: 'https://example.com/' }, {}), hasCode('invalid_schema'))
    await assert.rejects(validate('w', 'oid', { type: 'objct' }, {}), hasCode('invalid_schema'))
  })

  it('run ^(a+)+$ over a long hostile string at once', async () => {
    const schema = { properties: { a: { pattern: '^(a+)+$' } } }
    const errors = await validate('w', 'oid', schema, { a: `${'a'.repeat(50_000)}!` })
    assert.deepEqual(errors, [{ field: '/a', message: 'must match the pattern ^(a+)+$' }])
  })

  it('give up on an exponential schema at the deadline', async () => {
    await tasks.close()
    open(200)
    assert.equal(await blame(() => validate('hostile', 'oid-2', exponential, {})), 'invalid_record')
  })

  it('go on undisturbed for other workspaces while one checks against an exponential schema', async () => {
    const hostile = Array.from({ length: 4 }, (_, n) => validate('hostile', 'oid-2', exponential, { n }))
    let hostileDone = 0
    for (const one of hostile) void one.catch(() => hostileDone++)
    for (let asked = 0; asked < 20; asked++) {
      assert.deepEqual(await validate('polite', 'oid-1', named, { name: 'Ada' }), [])
    }
    assert.equal(hostileDone, 0)
    await tasks.close()
    await Promise.allSettled(hostile)
  })

  it('serve a third workspace in its turn even if hostile workspaces use all processes', async () => {
    await tasks.close()
    open(1000)
    const hostile = ['a', 'b'].flatMap((workspace) =>
      Array.from({ length: 3 }, () => validate(workspace, 'oid-2', exponential, {})),
    )
    const settled = Promise.allSettled(hostile)
    let hostileDone = 0
    for (const one of hostile) void one.catch(() => hostileDone++)
    assert.deepEqual(await validate('polite', 'oid-1', named, { name: 'Ada' }), [])
    assert.ok(hostileDone <= 2, `${hostileDone} hostile checks went first`)
    await tasks.close()
    await settled
  })

  it('blame the schema if only the schema is checked, and the record if the record is checked', async () => {
    await tasks.close()
    open(20)
    const large = {
      properties: Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`p${n}`, { type: 'string' }])),
    }
    assert.equal(await blame(() => checkSchema(tasks, 'w', large)), 'invalid_schema')
    assert.equal(await blame(() => validate('w', 'oid', large, {})), 'invalid_record')
  })
})
