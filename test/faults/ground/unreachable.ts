// Addresses of this machine to which no packet gets for a while.

import { execFileSync } from 'node:child_process'

/** Runs the work while nobody reaches these addresses, which are below 127.0.0.0/8; connections that are there fall silent too. */
export async function whileUnreachable(addresses: readonly string[], work: () => Promise<void>): Promise<void> {
  const cut: string[] = []
  try {
    for (const address of addresses) {
      execFileSync('ip', ['route', 'add', 'blackhole', `${address}/32`, 'table', 'local'])
      cut.push(address)
    }
    await work()
  } finally {
    for (const address of cut) execFileSync('ip', ['route', 'del', 'blackhole', `${address}/32`, 'table', 'local'])
  }
}
