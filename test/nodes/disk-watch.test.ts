import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DiskWatch } from '../../src/nodes/disk-watch.js'

describe('the watch over a node’s disk', () => {
  it('reports once that writes fail, and once that they work again', async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'palimpsest-disk-')), 'data')
    const told: (string | undefined)[] = []
    mkdirSync(folder)
    const watch = new DiskWatch(folder, 0, (fault) => told.push(fault))
    await watch.measure()
    rmSync(folder, { recursive: true })
    await watch.measure()
    await watch.measure()
    assert.match(watch.fault() ?? '', /^ENOENT/)
    mkdirSync(folder)
    await watch.measure()
    assert.equal(watch.fault(), undefined)
    assert.deepEqual(told, [told[0], undefined])
    watch.close()
    rmSync(join(folder, '..'), { recursive: true })
  })

  it('finds too little room if less is free than the reserve', async () => {
    const watch = new DiskWatch(tmpdir(), Number.MAX_SAFE_INTEGER, () => undefined)
    await watch.measure()
    assert.match(watch.fault() ?? '', /bytes are free, less than DISK_RESERVE_BYTES$/)
    watch.close()
  })
})
