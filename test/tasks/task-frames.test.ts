import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { encodeFrame, FrameReader } from '../../src/tasks/task-frames.js'

const bytes = fc.uint8Array({ maxLength: 40 }).map((list) => Buffer.from(list))
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(undefined, null, true, Infinity),
    fc.string(),
    bytes,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.string({ minLength: 1 }), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}))

describe('the frames between the service and a task process', () => {
  it('bring every value, in whatever pieces they come', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 4 }), fc.array(fc.integer({ min: 1, max: 60 })), (values, lengths) => {
        const sent = Buffer.concat(values.flatMap(encodeFrame))
        const reader = new FrameReader()
        const came: unknown[] = []
        for (let at = 0, piece = 0; at < sent.length; piece += 1) {
          const end = at + (lengths[piece] ?? sent.length)
          came.push(...reader.push(sent.subarray(at, end)))
          at = end
        }
        assert.deepEqual(came, values)
      }),
    )
  })

  it('take no value that cannot be copied', () => {
    assert.throws(() => encodeFrame({ work: () => undefined }), /could not be cloned/)
  })
})
