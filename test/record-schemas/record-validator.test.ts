import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { ServiceError } from '../../src/model/errors.js'
import { RecordValidator } from '../../src/record-schemas/record-validator.js'

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

describe('the record validator', () => {
  let validator: RecordValidator

  beforeEach(() => {
    validator = new RecordValidator({ deadline: 250 })
  })

  afterEach(() => validator.close())

  it('answers what is wrong with a record, and nothing for a valid one', async () => {
    assert.deepEqual(await validator.validate('w', 'oid-1', named, { name: 'Ada' }), [])
    assert.deepEqual(await validator.validate('w', 'oid-1', named, {}), [{ field: '/name', message: 'is required' }])
  })

  it('takes the largest schema that means no harm', async () => {
    const fields = Array.from({ length: 1200 }, (_, n) => [`field${n}`, { type: 'string', maxLength: 10 }])
    const large = { properties: Object.fromEntries(fields) }
    const patient = new RecordValidator({ deadline: 5_000 })
    await patient.checkSchema('w', large)
    const errors = await patient.validate('w', 'oid', large, { field7: 'longer than ten' })
    assert.deepEqual(errors, [{ field: '/field7', message: 'is longer than 10 characters' }])
    await patient.close()
  }).timeout(10_000)

  it('never mixes up two definitions', async () => {
    const numbered = { properties: { name: { type: 'number' } } }
    const valid = await Promise.all([
      validator.validate('w', 'oid-1', named, { name: 'Ada' }),
      validator.validate('w', 'oid-2', numbered, { name: 1 }),
      validator.validate('w', 'oid-1', named, { name: 'Bob' }),
    ])
    assert.deepEqual(valid, [[], [], []])
    assert.equal((await validator.validate('w', 'oid-2', numbered, { name: 'Ada' })).length, 1)
  })

  it('accepts a schema that works and names what is wrong with one that does not', async () => {
    await validator.checkSchema('w', named)
    await assert.rejects(validator.checkSchema('w', { properties: { a: { pattern: '(?=a)' } } }), (error) => {
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
    await assert.rejects(validator.checkSchema('w', []), hasCode('invalid_schema'))
  })

  it('refuses to use a schema that was pushed without a check', async () => {
    await assert.rejects(
      validator.validate('w', 'oid', { $ref: 'https://example.com/' }, {}),
      hasCode('invalid_schema'),
    )
    await assert.rejects(validator.validate('w', 'oid', { type: 'objct' }, {}), hasCode('invalid_schema'))
  })

  it('runs ^(a+)+$ over a long hostile string at once', async () => {
    const schema = { properties: { a: { pattern: '^(a+)+$' } } }
    const errors = await validator.validate('w', 'oid', schema, { a: `${'a'.repeat(50_000)}!` })
    assert.deepEqual(errors, [{ field: '/a', message: 'must match the pattern ^(a+)+$' }])
  })

  it('gives up on an exponential schema at the deadline, while other workspaces go on undisturbed', async () => {
    await validator.validate('polite', 'oid-1', named, { name: 'warm' })
    const hostile = Array.from({ length: 4 }, (_, n) => validator.validate('hostile', 'oid-2', exponential, { n }))
    const refusals = Promise.allSettled(hostile)
    const times: number[] = []
    for (let asked = 0; asked < 20; asked++) {
      const started = performance.now()
      assert.deepEqual(await validator.validate('polite', 'oid-1', named, { name: 'Ada' }), [])
      times.push(performance.now() - started)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    for (const outcome of await refusals) {
      assert.ok(outcome.status === 'rejected' && hasCode('invalid_record')(outcome.reason))
    }
    // Behind the hostile ones, the first would wait a deadline; one slow answer may be the start of the second thread.
    assert.ok(times.toSorted((a, b) => a - b)[17]! < 100, `milliseconds: ${times.map(Math.round).join(' ')}`)
  }).timeout(10_000)

  it('has as many threads as hostile workspaces and still serves a third one in its turn', async () => {
    const hostile = ['a', 'b'].flatMap((workspace) =>
      Array.from({ length: 5 }, () => validator.validate(workspace, 'oid-2', exponential, {})),
    )
    const settled = Promise.allSettled(hostile)
    let hostileDone = 0
    for (const one of hostile) void one.catch(() => hostileDone++)
    assert.deepEqual(await validator.validate('polite', 'oid-1', named, { name: 'Ada' }), [])
    assert.ok(hostileDone <= 2, `${hostileDone} hostile checks went first`)
    await settled
  }).timeout(10_000)

  it('blames the schema when it is asked about alone, and the record when it is checked', async () => {
    const impatient = new RecordValidator({ deadline: 1 })
    const large = {
      properties: Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`p${n}`, { type: 'string' }])),
    }
    await assert.rejects(impatient.checkSchema('w', large), hasCode('invalid_schema'))
    await assert.rejects(impatient.validate('w', 'oid', large, {}), hasCode('invalid_record'))
    await impatient.close()
  })

  it('lets only so many checks of one workspace wait', async () => {
    const small = new RecordValidator({ queue: 2 })
    const checks = Array.from({ length: 4 }, () => small.validate('w', 'oid', named, { name: 'Ada' }))
    const outcomes = await Promise.allSettled(checks)
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'fulfilled', 'rejected'],
    )
    await assert.rejects(checks[3]!, hasCode('queue_full'))
    await small.close()
  })

  it('refuses what waits when it is closed, and everything after', async () => {
    const waiting = [1, 2, 3].map(() => validator.validate('w', 'oid', exponential, {}))
    const settled = Promise.allSettled(waiting)
    await validator.close()
    for (const outcome of await settled)
      assert.ok(outcome.status === 'rejected' && hasCode('shutting_down')(outcome.reason))
    await assert.rejects(validator.validate('w', 'oid', named, {}), hasCode('shutting_down'))
  })

  it('keeps a process alive while somebody waits, and not after', async () => {
    const module = new URL('../../src/record-schemas/record-validator.js', import.meta.url).href
    const script = `const { RecordValidator } = await import(${JSON.stringify(module)})
      const errors = await new RecordValidator().validate('w', 'oid', { required: ['name'] }, {})
      process.stdout.write(JSON.stringify(errors))`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
      timeout: 8_000,
    })
    assert.equal(stdout, '[{"field":"/name","message":"is required"}]')
  }).timeout(10_000)
})
