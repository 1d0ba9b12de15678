// `mcp-remote`, through which programs that know only standard input reach a service: it signs in by OAuth, without a key, and publishes.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { join } from 'node:path'
import { runPalimpsest } from '../scenarios/serve-process.js'
import { answerConsent, TestBrowser } from '../support/people/connect-agent.js'
import { until } from '../support/within.js'
import type { Inspected } from './inspector.js'

/** `folder` has the program, and takes what it remembers. */
export async function connectByRemote(folder: string, port: number, dataDir: string): Promise<Inspected> {
  const script = join(folder, 'node_modules', '.bin', 'mcp-remote')
  const child = spawn(process.execPath, [script, `http://localhost:${port}/mcp`, '--allow-http'], {
    env: { ...process.env, MCP_REMOTE_CONFIG_DIR: join(folder, 'remembered') },
  })
  const inspected = { transport: 'mcp-remote', method: 'OAuth, tools/call' }
  try {
    await publish(child, port, await signIn(port, dataDir))
    return { ...inspected, fault: undefined }
  } catch (error) {
    return { ...inspected, fault: String(error) }
  } finally {
    child.kill()
  }
}

async function publish(child: ChildProcessWithoutNullStreams, port: number, session: string): Promise<void> {
  const printed = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => (printed.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (printed.err += chunk.toString()))
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const clientInfo = { name: 'test', version: '1' }
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } })
  const link = /http:\/\/localhost:\d+\/oauth\/authorize\?\S+/
  await until(
    () => printed.err,
    (text) => link.test(text),
  )
  const browser = new TestBrowser({ server: { port } }, session)
  const asked = await browser.visit(link.exec(printed.err)?.[0] ?? '')
  const back = await answerConsent(browser, asked.headers.get('Location') ?? '', { allow: true, scope: 'write' })
  await fetch(back)
  await until(
    () => printed.out,
    (text) => text.includes('"id":1'),
  )
  send({ method: 'notifications/initialized' })
  const page = { path: '/by-mcp-remote', html: '<h1>By mcp-remote</h1>' }
  send({ id: 2, method: 'tools/call', params: { name: 'create_page', arguments: page } })
  await until(
    () => printed.out,
    (text) => text.includes('"id":2'),
  )
  if (!printed.out.includes('/by-mcp-remote published')) throw new Error(printed.out)
}

/** Signs in with a link of the operator, as the first owner does. Returns the cookie. */
async function signIn(port: number, dataDir: string): Promise<string> {
  const origin = `http://localhost:${port}`
  const { stdout, stderr } = await runPalimpsest({ DATA_DIR: dataDir, BASE_URL: origin }, 'login-link')
  const token = /#(\S+)/.exec(stdout)?.[1]
  if (token === undefined) throw new Error(stderr)
  const answer = await fetch(`${origin}/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: origin },
    body: JSON.stringify({ token }),
  })
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}
