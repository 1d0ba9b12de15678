// The Inspector's command line signs in by OAuth, without a key, and publishes. Its next call uses the sign-in that it remembers.

import { freePort } from '../servers/ports.js'
import { printedLink, type Programs } from './fetched-programs.js'
import type { Inspected } from './inspector.js'
import type { Owner } from '../scenarios/owner.js'

const PUBLISH = ['--method', 'tools/call', '--tool-name', 'create_page', '--tool-arg', 'html=<h1>By the Inspector</h1>']

/** `folder` takes what it remembers. */
export async function signInByInspector(programs: Programs, owner: Owner, folder: string): Promise<Inspected[]> {
  const env = { HOME: folder, MCP_AUTO_OPEN_ENABLED: 'true', MCP_INSPECTOR_SECRET_STORE: 'file', BROWSER: 'true' }
  const callback = ['--callback-url', `http://127.0.0.1:${await freePort()}/oauth/callback`]
  const publish = async (path: string, options: readonly string[], isAsked: boolean) => {
    const target = ['--cli', `${owner.origin}/mcp`, '--transport', 'http', ...options]
    const program = programs.start('mcp-inspector', [...target, ...PUBLISH, `path=${path}`], env)
    try {
      if (isAsked) await fetch(await owner.allow(await printedLink(program)))
      await program.ended
      if (!program.out().includes(`${path} published`)) throw new Error(program.out() + program.err())
    } finally {
      program.kill()
    }
  }
  const first = await publish('/by-inspector', callback, true).then(() => undefined, String)
  const second = await publish('/by-inspector-again', ['--stored-auth-only'], false).then(() => undefined, String)
  return [
    { transport: 'http', method: 'OAuth, tools/call', fault: first },
    { transport: 'http', method: 'remembered OAuth, tools/call', fault: second },
  ]
}
