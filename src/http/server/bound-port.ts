// A TCP port that is bound here and listened on by whoever takes connections: this process, or processes that inherit the
// descriptor. The port stays taken while they are replaced, and this process accepts nothing itself.

import { lookup } from 'node:dns/promises'
import net from 'node:net'
import { getSystemErrorName } from 'node:util'

/** What node:net makes of an address: a socket that is bound and does not listen; or a negative error number. */
type CreateServerHandle = (address: string, port: number, addressType: 4 | 6) => BoundHandle | number

/**
 * Connections that the kernel makes before they are accepted; it may allow fewer (net.core.somaxconn, 4,096 by default). Whoever comes past
 * them is not refused, but has to try again after one second, three and seven.
 */
export const MAX_WAITING_CONNECTIONS = 10_000

interface BoundHandle {
  readonly fd: number
  /** Returns a negative error number; libuv reports here that the address is in use. */
  getsockname(name: { port?: number }): number
  close(): void
}

// node:net can only bind and accept in one step; its node:cluster binds with this function, in every version since 0.6.
const { _createServerHandle: createServerHandle } = net as unknown as { _createServerHandle: CreateServerHandle }

export class BoundPort {
  /** The port itself, also where 0 was asked for. */
  readonly number: number
  readonly #handle: BoundHandle

  private constructor(handle: BoundHandle, number: number) {
    this.#handle = handle
    this.number = number
  }

  /** Rejects with the system's error, as `server.listen` does. */
  static async bind({ port, host }: { port: number; host: string }): Promise<BoundPort> {
    const { address, family } = await lookup(host)
    const handle = createServerHandle(address, port, family === 6 ? 6 : 4)
    if (typeof handle === 'number') throw listenError(handle, host, port)
    const name: { port?: number } = {}
    const failed = handle.getsockname(name)
    if (failed === 0) return new BoundPort(handle, name.port ?? port)
    handle.close()
    throw listenError(failed, host, port)
  }

  /** The descriptor, for a process that is to inherit it. */
  get fd(): number {
    return this.#handle.fd
  }

  /** Lets a server of this process accept from the port. Rejects with the system's error. */
  async listen(server: net.Server): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(this.#handle, MAX_WAITING_CONNECTIONS, () => {
        server.off('error', reject)
        resolve()
      })
    })
  }

  close(): void {
    this.#handle.close()
  }
}

function listenError(errno: number, address: string, port: number): NodeJS.ErrnoException {
  const code = getSystemErrorName(errno)
  const reason = code === 'EADDRINUSE' ? 'address already in use' : 'the address cannot be used'
  return Object.assign(new Error(`listen ${code}: ${reason} ${address}:${port}`), { code, errno, syscall: 'listen' })
}
