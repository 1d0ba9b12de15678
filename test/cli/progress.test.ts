// The bar that long work shows on a terminal, in a pseudo-terminal of its own.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const PROGRESS = fileURLToPath(new URL('../../src/cli/terminal/progress.js', import.meta.url))
const CTRL_C = '\u0003'

/** The exit code of a program with such a bar, once `interrupt` was called while it works. */
async function codeOf(work: string, interrupt: (stdin: NodeJS.WritableStream) => void): Promise<number | null> {
  const program = `import { startProgress } from '${PROGRESS}'
    const bar = startProgress('Works', 2)
    ${work}`
  const command = `${process.execPath} --input-type=module --eval "${program}"`
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { PATH: process.env['PATH'], TERM: 'xterm' },
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: 10_000,
  })
  const ended = once(child, 'exit')
  await once(child.stdout, 'data')
  interrupt(child.stdin)
  const [code] = (await ended) as [number | null]
  return code
}

describe('the bar of long work', () => {
  it('ends the command with 130 at Ctrl-C, so that a script does not take it for done', async () => {
    assert.equal(
      await codeOf('setInterval(() => bar.advance(String(Date.now())), 10)', (stdin) => stdin.write(CTRL_C)),
      130,
    )
  })

  it('ends the command with 130 when it is told to end', async () => {
    assert.equal(
      await codeOf('setTimeout(() => process.kill(process.pid), 100); setInterval(() => 0, 10)', () => undefined),
      130,
    )
  })

  it('leaves the exit code of finished work, and of work that failed, as it is', async () => {
    assert.equal(await codeOf("bar.done('Done')", () => undefined), 0)
    assert.equal(await codeOf('process.exit(2)', () => undefined), 2)
  })
})
