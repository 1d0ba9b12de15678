// The Inspector's command line, over both transports: it lists the tools, calls one, and shows a refusal.

import { TOOLS } from '../../src/protocols/mcp/tools/tool-table.js'
import { MAIN } from '../scenarios/serve-process.js'
import type { Programs } from './fetched-programs.js'

const NOBODYS = '11111111-1111-4111-8111-111111111111'

export interface Inspected {
  transport: string
  method: string
  /** The fault that was found; undefined if there is none. */
  fault: string | undefined
}

/** `origin` is where the service is; the key has the scope `admin`, to which each tool is shown. */
export async function inspect(programs: Programs, origin: string, key: string): Promise<Inspected[]> {
  const transports = {
    http: [`${origin}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${key}`],
    stdio: ['-e', `BASE_URL=${origin}`, '-e', `SERVICE_API_TOKEN=${key}`, process.execPath, MAIN, 'mcp'],
  }
  const inspected: Inspected[] = []
  for (const [transport, target] of Object.entries(transports)) {
    const ask = async <T>(...method: string[]) => {
      const { code, stdout, stderr } = await programs.run('mcp-inspector', ['--cli', ...target, ...method])
      if (code !== 0) throw new Error(stderr)
      return JSON.parse(stdout) as T
    }
    const check = async (method: string, isRight: () => Promise<boolean>) => {
      const fault = await isRight().then((right) => (right ? undefined : 'another answer'), String)
      inspected.push({ transport, method, fault })
    }
    await check('tools/list', async () => {
      const { tools } = await ask<{ tools: { name: string }[] }>('--method', 'tools/list')
      return tools.map(({ name }) => name).join() === TOOLS.map(({ name }) => name).join()
    })
    await check('tools/call', async () => {
      const call = ['--method', 'tools/call', '--tool-name', 'list_pages', '--tool-arg', 'path=/', 'limit=1']
      const { content } = await ask<{ content: { text: string }[] }>(...call)
      return content[0]?.text.startsWith('/ published version=') === true
    })
    await check('tools/call, refused', async () => {
      const call = ['--method', 'tools/call', '--tool-name', 'get_page', '--tool-arg', `id=${NOBODYS}`]
      const { stdout, stderr } = await programs.run('mcp-inspector', ['--cli', ...target, ...call])
      return /page_not_found: [^]*Next: [^]*list_pages/.test(stdout + stderr)
    })
  }
  return inspected
}
