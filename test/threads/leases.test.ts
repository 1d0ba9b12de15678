import assert from 'node:assert/strict'
import { OwnLeases } from '../../src/threads/leases.js'

describe('a lease of a machine on its own', () => {
  it('is held by one at a time, until it is released', async () => {
    const leases = new OwnLeases()
    const first = await leases.hold('key', 'a')
    assert.equal(await leases.hold('key', 'a'), undefined)
    assert.ok(await leases.hold('key', 'b'), 'another name is another lease')
    assert.ok(await leases.hold('import', 'a'), 'another kind is another lease')
    await first?.release()
    const second = await leases.hold('key', 'a')
    await first?.release()
    assert.equal(await leases.hold('key', 'a'), undefined, 'a second release does not end the lease of another holder')
    assert.ok(second)
  })

  it('shows what its holder says now', async () => {
    const leases = new OwnLeases()
    let count = 1
    const held = await leases.hold('import', 'a', { say: () => ({ count }) })
    count = 2
    assert.deepEqual(await leases.find('import', 'a'), { count: 2 })
    await held?.release()
    assert.equal(await leases.find('import', 'a'), undefined)
  })

  it('ends once its holder, who was asked, has released it', async () => {
    const leases = new OwnLeases()
    const steps: string[] = []
    const held = await leases.hold('import', 'a', { onUnwanted: () => steps.push('asked') })
    const ended = leases.end('import', 'a').then(() => steps.push('ended'))
    steps.push('released')
    await held?.release()
    await ended
    assert.deepEqual(steps, ['asked', 'released', 'ended'])
    await leases.end('import', 'nobody holds it')
  })
})
