import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { ProgramStarter } from '../../src/programs/program-starter.js'
import { PATIENCE_MS, within } from '../support/within.js'

const STARTER = new URL('../../src/programs/program-starter.js', import.meta.url).href

describe('a process that starts programs', () => {
  let folder: string
  let socketPath: string
  let starter: ProgramStarter

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-starter-'))
    socketPath = join(folder, 'start.sock')
    starter = new ProgramStarter(socketPath)
  })
  afterEach(async () => {
    await starter.close()
    rmSync(folder, { recursive: true })
  })

  const start = (...command: [string, ...string[]]) => starter.start({ command, env: process.env })
  const say = async (...command: [string, ...string[]]) => (await text((await start(...command)).stdout)).trim()

  it('starts all of them, and gives each its own bytes, so that this one starts none', async () => {
    await start('true')
    let count = 0
    const note = () => count++
    subscribe('child_process', note)
    const echoed = await Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        const cat = await start('sh', '-c', 'cat; echo of its errors >&2; exit 3')
        cat.stdin.end(`program ${n}`)
        return [await text(cat.stdout), await text(cat.stderr), (await cat.ended).exitCode]
      }),
    )
    unsubscribe('child_process', note)
    assert.deepEqual(
      echoed,
      Array.from({ length: 50 }, (_, n) => [`program ${n}`, 'of its errors\n', 3]),
    )
    assert.equal(count, 0)
  })

  it('lets the kernel end its programs before the service where memory is used up', async () => {
    assert.equal(await say('cat', '/proc/self/oom_score_adj'), '900')
  })

  it('is not itself among those that the kernel ends first, since all programs end with it', async () => {
    await say('true')
    const scoreOf = (process: number | string) => readFileSync(`/proc/${process}/oom_score_adj`, 'utf8')
    assert.equal(scoreOf(starter.pid ?? 0), scoreOf('self'))
  })

  const itOnKernelsThatWeighSessions = existsSync('/proc/self/autogroup') ? it : () => undefined
  itOnKernelsThatWeighSessions('lets what serves come before a program of lower priority', async () => {
    const wait = 'until read -r line </proc/self/autogroup; [ "${line% nice 12}" != "$line" ]; do sleep 0.02; done'
    const program = await starter.start({
      command: ['sh', '-c', `${wait}; echo "$line"; nice`],
      niceness: 7,
      env: process.env,
    })
    assert.match(await text(program.stdout), new RegExp(` nice 12\n${getPriority() + 7}\n$`))
  })

  it('ends a program with all that it started', async () => {
    const shell = await start('sh', '-c', 'sleep 30 & echo $!; wait')
    const [printed] = (await once(shell.stdout, 'data')) as [Buffer]
    shell.kill('SIGTERM')
    assert.equal((await shell.ended).signal, 'SIGTERM')
    await untilEnded(Number(printed))
  })

  it('is replaced where it is killed, and what it had started ends', async () => {
    const sleep = await start('sh', '-c', 'echo $$; exec sleep 30')
    const [printed] = (await once(sleep.stdout, 'data')) as [Buffer]
    const { pid } = starter
    process.kill(pid ?? 0, 'SIGKILL')
    assert.deepEqual(await sleep.ended, { exitCode: null, code: 'ESTARTERENDED' })
    await untilEnded(Number(printed))
    assert.equal(await say('echo', 'again'), 'again')
    assert.notEqual(starter.pid, pid)
  })

  it('ends with the service that is killed, and so does what it had started', async () => {
    const other = join(folder, 'other.sock')
    const script = `
      const { ProgramStarter } = await import('${STARTER}')
      const sleep = await new ProgramStarter('${other}').start({ command: ['sh', '-c', 'echo $PPID $$; exec sleep 30'], env: process.env })
      sleep.stdout.pipe(process.stdout)`
    const service = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [printed] = (await once(service.stdout, 'data')) as [Buffer]
    service.kill('SIGKILL')
    for (const pid of printed.toString().trim().split(' ')) await untilEnded(Number(pid))
  })

  it('is done without where it cannot listen', async () => {
    const other = new ProgramStarter(join(folder, 'nowhere', 'start.sock'))
    const echo = await other.start({ command: ['echo', 'all the same'], env: process.env })
    assert.equal(await text(echo.stdout), 'all the same\n')
    await other.close()
  })

  it('passes over what others send to its socket', async () => {
    assert.equal(await say('echo', 'before'), 'before')
    const stranger = connect(socketPath)
    stranger.write('7 stdin of nobody\n')
    stranger.resume()
    await once(stranger, 'close')
    const early = connect(socketPath)
    early.end('8 stdin\n')
    assert.equal(await say('echo', 'after'), 'after')
  })
})

/** A process that has ended and was not waited for counts too: nobody waits for one whose parent is gone but the system. */
async function untilEnded(pid: number): Promise<void> {
  await within(PATIENCE_MS, () => assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' }))
}
