import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'

const MODULE = new URL('../../../../src/protocols/http/server/http-server.js', import.meta.url).href
const PROGRAM = `
  import { createHttpServer, listen } from '${MODULE}'
  const limits = { headersTimeoutSeconds: 10, requestTimeoutSeconds: 10, keepAliveSeconds: 10, maxConnections: 1000,
    maxConnectionsPerAddress: 1000, maxRequestsPerConnection: 1000, minBytesPerSecond: 1, slowSeconds: 10 }
  const server = createHttpServer(limits, [], (request, response) => response.end('ok'))
  console.log(await listen(server, { port: 0, host: '127.0.0.1' }), process.pid)
`
const NODE = [process.execPath, '--input-type=module', '--eval', PROGRAM]

describe('a server whose system refuses it a connection', () => {
  it('goes on, and takes the next one', async () => {
    const failing = ['-f', '-o', '/dev/null', '-e', 'trace=accept4', '-e', 'inject=accept4:error=ENOBUFS:when=1']
    const child = spawn('strace', [...failing, ...NODE], { stdio: ['ignore', 'pipe', 'inherit'] })
    let pid = 0
    try {
      const [line] = (await once(child.stdout, 'data')) as [Buffer]
      const [port = 0, traced = 0] = line.toString().split(' ').map(Number)
      pid = traced
      const refused = connect(port, '127.0.0.1').on('error', () => undefined)
      await once(refused, 'connect')
      assert.equal(await (await fetch(`http://127.0.0.1:${port}/`)).text(), 'ok')
      refused.destroy()
    } finally {
      // strace ends with what it traces.
      if (pid > 0) process.kill(pid, 'SIGKILL')
    }
  })
})
