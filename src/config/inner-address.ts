// How nodes reach one another: NODE_ADDRESS, and the secret by which each knows the others.

import { resolve } from 'node:path'
import type { Environment } from './schema.js'

export interface InnerAddress {
  /** As it was given: what the others call this node. */
  address: string
  host: string
  port: number
  secretFile: string
}

const FORM = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+):(\d{1,5})$/i

export function innerAddressOf({ NODE_ADDRESS, NODE_SECRET_FILE }: Environment): InnerAddress | undefined {
  const [, host, port] = FORM.exec(NODE_ADDRESS ?? '') ?? []
  if (NODE_ADDRESS === undefined || NODE_SECRET_FILE === undefined || host === undefined) return undefined
  const secretFile = resolve(NODE_SECRET_FILE)
  return { address: NODE_ADDRESS, host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port), secretFile }
}

export function checkInnerAddress({ NODE_ADDRESS, NODE_SECRET_FILE, DATABASE_URL }: Environment): string[] {
  if (NODE_ADDRESS === undefined) return []
  const [, , port] = FORM.exec(NODE_ADDRESS) ?? []
  return [
    ...(port === undefined || Number(port) < 1 || Number(port) > 65_535
      ? [`NODE_ADDRESS is "${NODE_ADDRESS}": write it as host:port, such as 10.0.0.11:8090`]
      : []),
    ...(DATABASE_URL === undefined ? ['NODE_ADDRESS is for nodes: set DATABASE_URL, or leave it out'] : []),
    ...(NODE_SECRET_FILE === undefined
      ? ['NODE_ADDRESS needs NODE_SECRET_FILE: head -c 32 /dev/urandom > node.secret, the same file on all nodes']
      : []),
  ]
}
