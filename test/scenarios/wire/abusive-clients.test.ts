import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { startOwnService, type TestService } from '../../support/service.js'
import { until } from '../../support/within.js'

describe('a client that is slow or greedy', () => {
  let service: TestService
  const opened: Socket[] = []
  /** The service's ends of all connections. */
  const accepted: Socket[] = []
  const onAccepted = (message: unknown) => void accepted.push((message as { socket: Socket }).socket)

  const open = async (): Promise<Socket> => {
    const socket = connect(service.server.port, '127.0.0.1')
    opened.push(socket)
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    return socket
  }
  /** All that comes until the connection ends, reset or not. */
  const rest = async (socket: Socket): Promise<string> => {
    let text = ''
    socket.setEncoding('latin1').on('data', (part: string) => (text += part))
    if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
    return text
  }
  const GET = 'GET / HTTP/1.1\r\nHost: demo.localhost\r\n\r\n'

  before(async () => {
    subscribe('net.server.socket', onAccepted)
    service = await startOwnService({
      env: { KEEP_ALIVE_SECONDS: '1', MAX_CONNECTIONS: '200' },
      change: (config) => ({
        ...config,
        http: { ...config.http, headersTimeoutSeconds: 1, requestTimeoutSeconds: 2, maxRequestsPerConnection: 3 },
      }),
    })
  })
  afterEach(async () => {
    for (const socket of opened.splice(0)) socket.destroy()
    await until(
      () => accepted.every(({ closed }) => closed),
      (all) => all,
    )
  })
  after(async () => {
    unsubscribe('net.server.socket', onAccepted)
    await service.stop()
  })

  it('is disconnected if it sends its fields or its body very slowly, and no other client waits for it', async () => {
    const slow = await Promise.all(
      [
        'GET / HTTP/1.1\r\nHost: demo.localhost\r\nX-Slow: ',
        'POST /api/v1/pages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n',
        'POST /api/v1/pages HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n',
      ].map(async (start) => {
        const socket = await open()
        socket.write(start)
        const drip = setInterval(() => socket.write('1'), 100)
        return rest(socket).finally(() => clearInterval(drip))
      }),
    )
    const [fields = '', ...bodies] = slow
    assert.match(fields, /^HTTP\/1\.1 408 /)
    // Both had an answer at once: without a key the body is of no interest.
    for (const answer of bodies) assert.match(answer, /^HTTP\/1\.1 (?:400|401|408) /)
    await service.visit('/').expect(200)
  })

  it('is disconnected if it does not read an answer', async () => {
    const page = 'x'.repeat(9 * 1024 * 1024)
    await service.api().put('/pages').query({ path: '/large' }).type('html').send(page).expect(201)
    const socket = await open()
    const end = await until(
      () => accepted.find(({ remotePort }) => remotePort === socket.localPort),
      (found) => found !== undefined,
    )
    // More than the system keeps for both ends.
    socket.pause().write(GET.replace('/', '/large').repeat(3))
    if (end?.closed === false) await once(end, 'close')
    const taken = await rest(socket.resume())
    assert.match(taken, /^HTTP\/1\.1 200 /)
    assert.ok(taken.length < 3 * page.length)
  })

  it('has its idle connection closed', async () => {
    const socket = await open()
    socket.write(GET)
    assert.match(await rest(socket), /^HTTP\/1\.1 200 /)
  })

  it('gets no more connections than one address may have, and keeps those that it has', async () => {
    const held = await Promise.all(Array.from({ length: 20 }, open))
    const refused = await open()
    assert.equal(await rest(refused), '')
    held[0]?.write(GET)
    const [answer] = (await once(held[0]!, 'data')) as [Buffer]
    assert.match(answer.toString(), /^HTTP\/1\.1 200 /)
    held[1]?.destroy()
    // Once the service has seen that one go.
    let again = ''
    while (again === '') {
      const next = await open()
      next.write(GET)
      again = await rest(next)
    }
    assert.match(again, /^HTTP\/1\.1 200 /)
  })

  it('is told to open another connection after the limit of requests on one', async () => {
    const socket = await open()
    for (let request = 1; request <= 3; request += 1) {
      socket.write(GET)
      const [answer] = (await once(socket, 'data')) as [Buffer]
      assert.match(answer.toString(), request === 3 ? /\r\nConnection: close\r\n/ : /\r\nConnection: keep-alive\r\n/)
    }
  })

  it('is refused if its head has more than 64 KiB', async () => {
    const socket = await open()
    socket.write(`GET / HTTP/1.1\r\nHost: demo.localhost\r\nX-Long: ${'a'.repeat(70_000)}\r\n\r\n`)
    assert.match(await rest(socket), /^HTTP\/1\.1 431 /)
  })
})
