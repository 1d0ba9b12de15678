// `mcp-remote`, through which programs that know only standard input reach a service: it signs in by OAuth, without a key, and publishes.

import { join } from 'node:path'
import { until } from '../support/within.js'
import { printedLink, type Programs, type StartedProgram } from './fetched-programs.js'
import type { Inspected } from './inspector.js'
import type { Owner } from '../scenarios/owner.js'

/** `folder` takes what it remembers. */
export async function connectByRemote(programs: Programs, owner: Owner, folder: string): Promise<Inspected> {
  const env = { MCP_REMOTE_CONFIG_DIR: join(folder, 'remembered') }
  const program = programs.start('mcp-remote', [`${owner.origin}/mcp`, '--allow-http'], env)
  const fault = await publish(program, owner).then(() => undefined, String)
  program.kill()
  return { transport: 'mcp-remote', method: 'OAuth, tools/call', fault }
}

async function publish(program: StartedProgram, owner: Owner): Promise<void> {
  const send = (message: object) => program.write(JSON.stringify({ jsonrpc: '2.0', ...message }))
  const answered = async (id: number) =>
    await until(
      () => program.out(),
      (text) => text.includes(`"id":${id}`),
    )
  const clientInfo = { name: 'test', version: '1' }
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } })
  await fetch(await owner.allow(await printedLink(program)))
  await answered(1)
  send({ method: 'notifications/initialized' })
  const page = { path: '/by-mcp-remote', html: '<h1>By mcp-remote</h1>' }
  send({ id: 2, method: 'tools/call', params: { name: 'create_page', arguments: page } })
  const answer = await answered(2)
  if (!answer.includes('/by-mcp-remote published')) throw new Error(answer)
}
