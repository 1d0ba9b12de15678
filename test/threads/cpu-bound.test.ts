import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'

const CPU_BOUND = new URL('../../src/threads/cpu-bound.js', import.meta.url).href

describe('a limit on processor time', () => {
  it('is reached by a process that works, but not by one that has to wait', () => {
    // A process of its own: threads of this one may work meanwhile.
    const program = `import { startCpuBound } from '${CPU_BOUND}'
      const isOver = startCpuBound(500)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600)
      console.log(isOver())
      while (!isOver());
      console.log(isOver())`
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      encoding: 'utf8',
    })
    assert.equal(stdout, 'false\ntrue\n', stderr)
  })
})
