// Files of a deploy, from texts.

import { type DeployFile, oidOf } from '../../../src/protocols/client/client.js'

export function folder(files: Readonly<Record<string, string>>): Promise<DeployFile[]> {
  return Promise.all(
    Object.entries(files).map(async ([name, text]) => {
      const bytes = new Blob([text])
      return { name, oid: await oidOf(bytes), size: bytes.size, read: () => bytes }
    }),
  )
}
