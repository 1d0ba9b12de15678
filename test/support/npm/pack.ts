// Tarballs as `npm pack` makes them, without the network.

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

export interface Packed {
  tarball: string
  /** Bytes of the tarball. */
  size: number
  /** Paths of the files in it. */
  names: string[]
}

/** `packages` are folders with a package.json; by their names. */
export function npmPack(into: string, ...packages: string[]): Map<string, Packed> {
  const options = ['--json', '--ignore-scripts', '--pack-destination', into]
  const answer = execFileSync('npm', ['pack', ...packages, ...options], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const all = JSON.parse(answer) as { name: string; filename: string; size: number; files: { path: string }[] }[]
  return new Map(
    all.map(({ name, filename, size, files }) => [
      name,
      { tarball: join(into, filename), size, names: files.map(({ path }) => path) },
    ]),
  )
}
