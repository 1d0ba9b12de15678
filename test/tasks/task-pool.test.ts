import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Gate, type GateRule } from '../../src/admission/gate.js'
import { ruleOf } from '../../src/admission/gate-rows.js'
import { DEFAULT_SIZES } from '../../src/admission/row.js'
import { ServiceError } from '../../src/model/errors.js'
import { TaskPool, type TaskPoolOptions } from '../../src/tasks/task-pool.js'
import type { TEST_TASKS } from './task-worker.js'
import { listProcesses } from '../programs/processes.js'
import { PATIENCE_MS, within } from '../support/within.js'

const A = { workspaceId: 'a' }
const B = { workspaceId: 'b' }

function hasCode(code: string) {
  return (error: unknown) => error instanceof ServiceError && error.code === code
}

/** On a busy machine, a task that never ends may get little processor time, and is not blamed. */
const isLate = (error: unknown) => hasCode('too_costly')(error) || hasCode('service_busy')(error)

const gateOf = (rule: Partial<GateRule>) => new Gate({ ...ruleOf('tasks', DEFAULT_SIZES), ...rule })

const isRunning = (pid: number) => listProcesses().some((process) => process.pid === pid)

describe('the pool of task processes', () => {
  let pool: TaskPool<typeof TEST_TASKS>

  function open(options: Partial<TaskPoolOptions> = {}) {
    const entry = new URL('task-worker.js', import.meta.url)
    pool = new TaskPool({ entry, processes: 2, deadlineMs: PATIENCE_MS, ...options })
    return pool
  }

  afterEach(() => pool.close())

  it('answers with what the task returns, texts and bytes of many megabytes included', async () => {
    open()
    assert.deepEqual(await pool.run('echo', { list: [1, 'ä', null] }, A), { list: [1, 'ä', null] })
    const text = '€'.repeat(3_000_000)
    assert.equal(await pool.run('echo', text, A), text)
    const bytes = Buffer.alloc(10_000_000, 'bytes')
    assert.ok(bytes.equals((await pool.run('echo', bytes, A)) as Uint8Array))
    const several = { list: [Buffer.from('one'), Buffer.alloc(0)], last: bytes.subarray(2, 5) }
    assert.deepEqual(await pool.run('echo', several, A), {
      list: [Buffer.from('one'), Buffer.alloc(0)],
      last: Buffer.from('tes'),
    })
  })

  it('rejects with the ServiceError that a task throws, and with "internal" for any other error', async () => {
    open()
    await assert.rejects(pool.run('refuse', 'no', A), (error) => {
      assert.ok(error instanceof ServiceError)
      assert.deepEqual([error.code, error.message, error.details], ['conflict', 'no', { field: '/a' }])
      return true
    })
    await assert.rejects(pool.run('fail', undefined, A), hasCode('internal'))
    assert.equal(await pool.run('echo', 'again', A), 'again')
  })

  it('gives way to visitors and short requests on a busy machine', async () => {
    open()
    assert.equal(await pool.run('niceness', undefined, A), getPriority() + 5)
  })

  const itOnKernelsThatWeighSessions = existsSync('/proc/self/autogroup') ? it : () => undefined
  itOnKernelsThatWeighSessions('gives way to serving processes', async () => {
    open()
    // A user without privileges may have to wait for it.
    await within(PATIENCE_MS, async () => assert.equal(await pool.run('sessionNiceness', undefined, A), 5))
  })

  it('is ended first by the kernel if memory runs out', async () => {
    open()
    assert.equal(await pool.run('oomScoreAdj', undefined, A), 900)
  })

  it('uses a process again, and starts none before the first task', async () => {
    open()
    assert.equal(await pool.run('pid', undefined, A), await pool.run('pid', undefined, B))
  })

  it('gives a task to a process that runs, and starts no other for it', async () => {
    open()
    const [, pid] = await Promise.all([pool.run('wait', 100, A), pool.run('pid', undefined, B)])
    await assert.rejects(pool.run('exit', 1, A), hasCode('too_costly'))
    assert.equal(await pool.run('pid', undefined, A), pid)
  })

  for (const work of ['hang', 'hangInNativeCode'] as const) {
    it(`kills a task that does not end (${work}), refuses it, and replaces the process`, async () => {
      open({ deadlineMs: 1_000 })
      const before = await pool.run('pid', undefined, A)
      await assert.rejects(pool.run(work, undefined, A), isLate)
      assert.notEqual(await pool.run('pid', undefined, A), before)
      assert.throws(() => process.kill(before, 0), 'the process is gone')
    })
  }

  const itOnSystemsThatTellProcessorTime = process.platform === 'linux' ? it : () => undefined
  itOnSystemsThatTellProcessorTime(
    'is too busy for a task that got no processor time: the request is in order',
    async () => {
      open({ deadlineMs: 1_000 })
      await pool.run('echo', 'started', A)
      await assert.rejects(pool.run('stop', undefined, A), hasCode('service_busy'))
      assert.equal(await pool.run('echo', 'again', A), 'again')
    },
  )

  it('is too busy for a task whose process ends before it is ready', async () => {
    open({ entry: new URL('ending-worker.js', import.meta.url) })
    await assert.rejects(pool.run('echo', 'never', A), hasCode('service_busy'))
  })

  for (const work of ['fillHeap', 'fillBuffers'] as const) {
    // Other systems bound the heap alone.
    const itWhereBound = work === 'fillHeap' || process.platform === 'linux' ? it : () => undefined
    itWhereBound(`refuses only a task that takes too much memory (${work})`, async () => {
      open({ deadlineMs: PATIENCE_MS })
      const refused = assert.rejects(pool.run(work, undefined, A), hasCode('too_costly'))
      assert.equal(await pool.run('echo', 'beside it', B), 'beside it')
      await refused
      assert.equal(await pool.run('echo', 'after it', A), 'after it')
    })
  }

  it('runs waiting tasks at once after a process was replaced', async () => {
    open({ deadlineMs: 1_000 })
    const tasks = [A, A, B, B].map((workspace) => pool.run('hang', undefined, workspace))
    const refused = Promise.all(tasks.map((task) => assert.rejects(task, isLate)))
    assert.deepEqual(await Promise.all([pool.run('echo', 1, A), pool.run('echo', 2, B)]), [1, 2])
    await refused
  })

  it('refuses a task whose process ends by itself', async () => {
    open()
    await assert.rejects(pool.run('exit', 1, A), hasCode('too_costly'))
    assert.equal(await pool.run('echo', 'again', A), 'again')
  })

  it('leaves one process to the others, for any load of one workspace', async () => {
    open({ deadlineMs: PATIENCE_MS })
    await Promise.all([pool.run('wait', 50, A), pool.run('wait', 50, B)])
    const hostile = Array.from({ length: 3 }, () => pool.run('hang', undefined, A))
    let ended = 0
    for (const one of hostile) one.catch(() => (ended += 1))
    for (let n = 0; n < 5; n++) await pool.run('echo', n, B)
    assert.equal(ended, 0)
    await pool.close()
    await Promise.allSettled(hostile)
  })

  it('does the tasks of a workspace in order', async () => {
    open()
    const done: number[] = []
    const tasks = [40, 20, 0].map((ms, n) => pool.run('wait', ms, A).then(() => done.push(n)))
    await Promise.all(tasks)
    assert.deepEqual(done, [0, 1, 2])
  })

  it('lets only a limited number of tasks of one workspace wait', async () => {
    open({ gate: gateOf({ maxWaiting: 2 }) })
    const tasks = Array.from({ length: 4 }, () => pool.run('wait', 10, A))
    await assert.rejects(tasks[3]!, hasCode('queue_full'))
    await Promise.all(tasks.slice(0, 3))
  })

  it('lets no task wait without end, and runs the next one', async () => {
    open({ gate: gateOf({ maxWaitMs: 50 }) })
    const long = pool.run('wait', 1000, A)
    await assert.rejects(pool.run('echo', 'late', A), hasCode('queue_full'))
    const next = pool.run('echo', 'next', A).catch(() => 'late')
    await long
    assert.equal(await next, 'late')
    assert.equal(await pool.run('echo', 'again', A), 'again')
  })

  it('refuses running, waiting and later tasks when it closes', async () => {
    open()
    await pool.run('echo', 'started', A)
    const tasks = [pool.run('hang', undefined, A), pool.run('echo', 'waits', A)]
    const refused = Promise.all(tasks.map((task) => assert.rejects(task, hasCode('shutting_down'))))
    await pool.close()
    await refused
    await assert.rejects(pool.run('echo', 'late', A), hasCode('shutting_down'))
  })

  it('ends the programs that a killed task had started', async () => {
    open({ deadlineMs: 3_000 })
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-task-'))
    const pidFile = join(folder, 'pid')
    await assert.rejects(pool.run('startProgram', pidFile, A), hasCode('service_busy'))
    await pool.run('echo', 'the process was replaced', A)
    const pid = Number(readFileSync(pidFile, 'utf8'))
    assert.ok(pid > 0)
    assert.equal(isRunning(pid), false)
    rmSync(folder, { recursive: true })
  })

  const itOnLinux = process.platform === 'linux' ? it : () => undefined
  itOnLinux('bounds the CPU time of a process, so that none outlives a killed service for long', async () => {
    open()
    const pid = await pool.run('pid', undefined, A)
    assert.match(readFileSync(`/proc/${pid}/limits`, 'utf8'), /^Max cpu time +120 /m)
  })
})

/** Runs a program that may open 64 files at a time; `pool` and `run`, which returns the output or the code of a refusal, are its. */
function runWithFewDescriptors(program: string): string {
  const whole = `
    import { closeSync, openSync } from 'node:fs'
    import { TaskPool } from '${new URL('../../src/tasks/task-pool.js', import.meta.url).pathname}'
    const entry = new URL('file://${new URL('task-worker.js', import.meta.url).pathname}')
    const pool = new TaskPool({ entry, processes: 2, deadlineMs: ${PATIENCE_MS} })
    const run = (input) => pool.run('echo', input, { workspaceId: 'a' }).catch(({ code }) => code)
    ${program}
    await pool.close()`
  const command = ['-c', 'ulimit -n 64; exec "$@"', 'sh', process.execPath, '--input-type=module', '--eval', whole]
  const { status, stdout, stderr } = spawnSync('/bin/sh', command, { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return stdout
}

describe('the pool of a service without file descriptors', () => {
  it('refuses tasks as busy while too few are free to start a process, does them afterwards, and loses none', () => {
    const printed = runWithFewDescriptors(`
      const taken = []
      const takeAll = () => { try { for (;;) taken.push(openSync('/dev/null')) } catch {} }
      takeAll()
      const most = taken.length
      const answers = new Set()
      for (let free = 0; free < 30; free++) {
        answers.add(await run('done'))
        closeSync(taken.pop())
      }
      for (const fd of taken.splice(0)) closeSync(fd)
      await pool.close()
      takeAll()
      // Node itself keeps one or two from its first stream on.
      console.log([...answers].sort().join(), most - taken.length <= 2)`)
    assert.equal(printed, 'done,service_busy true\n')
  })
})

describe('a start of a task process', () => {
  const startMs = 1000
  let pool: TaskPool<typeof TEST_TASKS> | undefined

  afterEach(() => pool?.close())

  it('has three times its limit if others take its processor time', async () => {
    const entry = new URL('stopped-worker.js', import.meta.url)
    pool = new TaskPool<typeof TEST_TASKS>({ entry, processes: 2, startMs })
    const began = performance.now()
    await assert.rejects(pool.run('echo', 'never', A), (error) => {
      assert.ok(hasCode('service_busy')(error))
      assert.match(String((error as ServiceError).cause), /not ready within 1000 ms/)
      return true
    })
    assert.ok(performance.now() - began >= 3 * startMs)
  })
})

describe('a program kept running only by its pool of task processes', () => {
  it('continues after it has closed the pool', () => {
    const program = `
      import { TaskPool } from '${new URL('../../src/tasks/task-pool.js', import.meta.url).pathname}'
      const entry = new URL('file://${new URL('task-worker.js', import.meta.url).pathname}')
      const pool = new TaskPool({ entry, processes: 2 })
      await pool.run('echo', 'a', { workspaceId: 'a' })
      await pool.close()
      console.log('closed')`
    const args = ['--input-type=module', '--eval', program]
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    assert.deepEqual([status, stdout], [0, 'closed\n'])
  })
})
