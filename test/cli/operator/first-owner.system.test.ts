import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { useTemporaryFolders } from '../../catalog/temporary-folder.js'
import { endProcesses, serve } from '../../scenarios/serve-process.js'
import { startOnTerminal } from '../on-terminal.js'

const CONTROL_C = '\u0003'

describe('the first owner', () => {
  const makeFolder = useTemporaryFolders()
  afterEach(endProcesses)

  it('comes in by a link that the start prints on a terminal, until there is an owner', async () => {
    const port = await freePort()
    const origin = `http://localhost:${port}`
    const settings = { DATA_DIR: makeFolder(), PORT: String(port), BASE_URL: origin, SITE_DOMAIN: `localhost:${port}` }
    const env = { ...process.env, ...settings, DISK_RESERVE_BYTES: '0', LOG_LEVEL: 'error' }
    const first = startOnTerminal(['serve'], { env })
    await first.shows('/sign-in#')
    first.type(CONTROL_C)
    const [, token] = /\/sign-in#([\w-]{43})\s/.exec((await first.ended).stdout) ?? []
    const second = startOnTerminal(['serve'], { env })
    await second.shows('/sign-in#')
    const entered = await fetch(`${origin}/session`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: origin },
      body: JSON.stringify({ token }),
    })
    assert.equal(entered.status, 201)
    const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
    const me = (await (await fetch(`${origin}/api/v1/me`, { headers: { cookie } })).json()) as {
      data: { person: { role: string } }
    }
    assert.equal(me.data.person.role, 'owner')
    second.type(CONTROL_C)
    await second.ended
    const third = startOnTerminal(['serve'], { env })
    await third.shows('is ready at')
    third.type(CONTROL_C)
    assert.doesNotMatch((await third.ended).stdout, /sign-in#|login-link/)
  })

  it('finds the command for a link where the start prints into a log, which keeps no link', async () => {
    const served = await serve({ dataDir: makeFolder() })
    assert.match(served.printed(), /run ".* login-link": it prints a link that signs you in, once/)
    assert.doesNotMatch(served.printed(), /sign-in#/)
  })
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
