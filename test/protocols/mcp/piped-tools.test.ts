// Tools on standard input and output, as a pipe: `printf … | palimpsest mcp`.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { startTestService, type TestService } from '../../support/service.js'

describe('the tools in a pipe', () => {
  let service: TestService
  before(async () => {
    service = await startTestService()
  })
  after(() => service.stop())

  const ask = async (program: string, lines: readonly object[]) => {
    const env = { PATH: process.env['PATH'], PALIMPSEST_URL: service.origin, PALIMPSEST_TOKEN: service.key }
    const child = spawn(process.execPath, [program, 'mcp'], { env, stdio: ['pipe', 'pipe', 'inherit'] })
    child.stdin.end(lines.map((line) => `${JSON.stringify({ jsonrpc: '2.0', ...line })}\n`).join(''))
    const printed = await text(child.stdout)
    const answers = printed.split('\n').filter((line) => line !== '')
    return answers.map((line) => JSON.parse(line) as { id: number; result?: { isError?: boolean } })
  }
  const INITIALIZE = {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'pipe', version: '1' } },
  }
  const call = (id: number, name: string, args: object) => ({
    id,
    method: 'tools/call',
    params: { name, arguments: args },
  })

  for (const program of ['dist/program/bin/palimpsest.js', 'dist/cli-package/palimpsest.js'])
    it(`answer all that was read before standard input ended, by ${program}`, async () => {
      const path = `/piped-${program.split('/')[1]}`
      const answers = await ask(program, [
        INITIALIZE,
        { method: 'notifications/initialized' },
        call(2, 'list_workspaces', {}),
        call(3, 'create_page', { path, html: '<title>Piped</title><h1>Piped</h1>' }),
      ])
      assert.deepEqual(
        answers.map(({ id }) => id).toSorted((a, b) => a - b),
        [1, 2, 3],
      )
      assert.ok(answers.every(({ result }) => result !== undefined && result.isError !== true))
      await service.visit(path).expect(200)
    })

  it('end although a call was taken back', async () => {
    const taken = { method: 'notifications/cancelled', params: { requestId: 2, reason: 'enough' } }
    const answers = await ask('dist/program/bin/palimpsest.js', [
      INITIALIZE,
      { method: 'notifications/initialized' },
      call(2, 'list_workspaces', {}),
      taken,
    ])
    assert.equal(answers[0]?.id, 1)
  })

  it('end at once without a call', async () => {
    assert.deepEqual(await ask('dist/program/bin/palimpsest.js', []), [])
  })
})
