import assert from 'node:assert/strict'
import { compileRecordSchema } from '../../../src/tasks/record-schemas/record-schema-compiler.js'
import { processorMs } from '../analysis/processor-time.js'

describe('a record', () => {
  it('is checked in linear time by every pattern and format, for hostile input too', () => {
    const long = 'a'.repeat(60_000)
    const formats = [
      'email',
      'uri',
      'url',
      'hostname',
      'uri-reference',
      'uri-template',
      'date-time',
      'duration',
      'ipv6',
      'byte',
      'regex',
    ]
    const patterns = ['^(a+)+$', '(a|aa)+$', '(.*)*b$', '^(\\w+\\s?)*$']
    for (const keyword of [...formats.map((format) => ({ format })), ...patterns.map((pattern) => ({ pattern }))]) {
      const checkText = compileRecordSchema({ additionalProperties: keyword })
      const took = processorMs(() =>
        checkText({
          a: `${long}!`,
          b: `${long}@${long}`,
          c: `http://${'a:'.repeat(30_000)} `,
          d: `http://${'a-'.repeat(30_000)}!`,
        }),
      )
      assert.ok(took < 2_000, `${JSON.stringify(keyword)} took ${took} ms`)
    }
  })
})
