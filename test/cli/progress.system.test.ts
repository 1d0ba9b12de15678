// The bar that long work shows on a terminal.

import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { type OnTerminal, startProgram } from './on-terminal.js'

const PROGRESS = fileURLToPath(new URL('../../src/cli/terminal/progress.js', import.meta.url))
const CTRL_C = '\u0003'
const PART_OF_BAR = '━'

/** Starts a program with such a bar. */
function startWork(work: string): OnTerminal {
  const program = `import { startProgress } from '${PROGRESS}'
    const bar = startProgress('Works', 2)
    ${work}`
  const command = `${process.execPath} --input-type=module --eval "${program}"`
  return startProgram(command, { env: { PATH: process.env['PATH'], TERM: 'xterm' } })
}

describe('the bar of long work', () => {
  it('ends the command with 130 at Ctrl-C, so that a script does not consider it done', async () => {
    const terminal = startWork('setInterval(() => bar.advance(String(Date.now())), 10)')
    await terminal.shows(PART_OF_BAR)
    terminal.type(CTRL_C)
    assert.equal((await terminal.ended).code, 130)
  })

  it('ends the command with 130 when it is told to end', async () => {
    const terminal = startWork('setTimeout(() => process.kill(process.pid), 100); setInterval(() => 0, 10)')
    assert.equal((await terminal.ended).code, 130)
  })

  it('does not change the exit code of finished or failed work', async () => {
    for (const [work, code] of [
      ["bar.done('Done')", 0],
      ['process.exit(2)', 2],
    ] as const)
      assert.equal((await startWork(work).ended).code, code)
  })
})
