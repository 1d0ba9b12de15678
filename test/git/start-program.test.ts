import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { getPriority } from 'node:os'
import { text } from 'node:stream/consumers'
import { startProgram } from '../../src/git/start-program.js'
import { PATIENCE_MS, within } from '../support/within.js'

const start = (...command: [string, ...string[]]) => startProgram({ command, env: process.env, leadsGroup: true })

describe('a program that is started', () => {
  it('has its own bytes and its own exit code', async () => {
    const cat = await start('sh', '-c', 'cat; echo of its errors >&2; exit 3')
    cat.stdin.end('bytes')
    assert.deepEqual(
      [await text(cat.stdout), await text(cat.stderr), (await cat.ended).exitCode],
      ['bytes', 'of its errors\n', 3],
    )
  })

  const itOnLinux = existsSync('/proc/self/oom_score_adj') ? it : () => undefined
  itOnLinux('is ended by the kernel before the service if memory runs out', async () => {
    const program = await start('sh', '-c', 'read -r _; cat /proc/$$/oom_score_adj')
    program.stdin.end('\n')
    assert.equal(await text(program.stdout), '900\n')
  })

  const itOnKernelsThatWeighSessions = existsSync('/proc/self/autogroup') ? it : () => undefined
  itOnKernelsThatWeighSessions('gives way to serving processes if its priority is lower', async () => {
    const wait = 'until read -r line </proc/self/autogroup; [ "${line% nice 12}" != "$line" ]; do sleep 0.02; done'
    const command = ['sh', '-c', `${wait}; echo "$line"; nice`] as const
    const program = await startProgram({ command, niceness: 7, env: process.env, leadsGroup: true })
    assert.match(await text(program.stdout), new RegExp(` nice 12\n${getPriority() + 7}\n$`))
  })

  it('ends together with all programs that it started', async () => {
    const shell = await start('sh', '-c', 'sleep 30 & echo $!; wait')
    const [printed] = (await once(shell.stdout, 'data')) as [Buffer]
    shell.kill('SIGTERM')
    assert.equal((await shell.ended).signal, 'SIGTERM')
    await within(PATIENCE_MS, () => assert.throws(() => process.kill(Number(printed), 0), { code: 'ESRCH' }))
  })

  it('reports why it cannot start', async () => {
    assert.deepEqual(await (await start('/no/such/program')).ended, { exitCode: null, code: 'ENOENT' })
  })
})
