import assert from 'node:assert/strict'
import { atLeastRate } from '../../../src/git/remotes/least-rate.js'

/** Bytes that came through, and the reason why no more did. */
async function transfer(chunkBytes: number, secondsBetween: number): Promise<{ bytes: number; error: string }> {
  let ms = 0
  async function* source(): AsyncGenerator<Buffer> {
    for (let count = 0; count < 100; count++) {
      yield Buffer.alloc(chunkBytes)
      ms += secondsBetween * 1000
    }
  }
  let bytes = 0
  try {
    for await (const chunk of atLeastRate(source(), () => ms)) bytes += chunk.length
    return { bytes, error: '' }
  } catch (error) {
    return { bytes, error: (error as Error).message }
  }
}

describe('the minimum rate of a pack', () => {
  it('lets slow transfers through, in small chunks and in large ones', async () => {
    assert.deepEqual(await transfer(2048, 1), { bytes: 204_800, error: '' })
    assert.deepEqual(await transfer(65_536, 50), { bytes: 6_553_600, error: '' })
  })

  it('ends a slower one after two minutes', async () => {
    const { bytes, error } = await transfer(10_000, 10)
    assert.equal(bytes, 120_000)
    assert.match(error, /slower than 1 KB a second/)
  })
})
