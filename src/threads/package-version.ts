// The version of the installed package.

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Reads the version from the nearest package.json above this file, bundled or not. */
export function packageVersion(): string {
  for (let folder = new URL('./', import.meta.url); folder.pathname !== '/'; folder = new URL('../', folder)) {
    const path = fileURLToPath(new URL('package.json', folder))
    if (existsSync(path)) return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version
  }
  return 'unknown'
}
