// A folder as a client of the service deploys it: its manifest, and a tar of some of its bytes.

import { createHash } from 'node:crypto'

export type Folder = Record<string, string | Buffer>

export function oidOf(content: string | Buffer): string {
  const bytes = Buffer.from(content)
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}

export function manifestOf(folder: Folder): Record<string, { oid: string; size: number }> {
  const files = Object.entries(folder).map(([name, content]) => {
    return [name, { oid: oidOf(content), size: Buffer.byteLength(content) }] as const
  })
  return Object.fromEntries(files)
}

/** The files whose oids are named, as a tar (POSIX ustar). */
export function tarOf(folder: Folder, oids: readonly string[]): Buffer {
  const wanted = new Set(oids)
  const parts = Object.values(folder).flatMap((content) => {
    const bytes = Buffer.from(content)
    return wanted.delete(oidOf(bytes)) ? [tarEntry(oidOf(bytes), bytes)] : []
  })
  return Buffer.concat([...parts, Buffer.alloc(1024)])
}

/** `type` is the type flag: `0` for a regular file. */
export function tarEntry(name: string, bytes: Buffer, type = '0'): Buffer {
  const header = Buffer.alloc(512)
  header.write(name, 0, 100, 'latin1')
  header.write('0000644\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write('00000000000\0', 136)
  header.write('        ', 148)
  header.write(type, 156)
  header.write('ustar\u000000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)])
}
