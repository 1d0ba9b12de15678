// A way to a server that can be cut: requests still arrive, but answers do not come back.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export class Proxy {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #isDeaf = false
  #port: number

  constructor(port: number) {
    this.#port = port
    this.#server = createServer((client) => this.#join(client, connect(this.#port, '127.0.0.1')))
  }

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return this
  }

  /** The port on which it listens. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** The URL with this way in place of its own. */
  through(url: string): string {
    return Object.assign(new URL(url), { port: String(this.port) }).href
  }

  /** Runs the work while no answer comes back, on connections of before and on new ones. */
  async whileDeaf(work: () => Promise<void>): Promise<void> {
    this.#isDeaf = true
    try {
      await work()
    } finally {
      this.#isDeaf = false
    }
  }

  /** New connections lead to another server on this machine. */
  leadTo(port: number): void {
    this.#port = port
  }

  /** Ends all connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async stop(): Promise<void> {
    this.cut()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #join(client: Socket, server: Socket): void {
    client.on('data', (bytes) => server.write(bytes))
    server.on('data', (bytes) => {
      if (!this.#isDeaf) client.write(bytes)
    })
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        this.#sockets.delete(socket)
        other.destroy()
      })
    }
  }
}
