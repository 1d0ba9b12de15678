// Removes from dist/ what tsc made of source files that have been moved or deleted since.

import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Removes stale files below `dist/<folder>`, and folders that are empty afterwards. */
function clean(folder) {
  const output = join(root, 'dist', folder)
  for (const entry of readdirSync(output, { withFileTypes: true })) {
    const name = join(folder, entry.name)
    if (entry.isDirectory()) clean(name)
    else if (!existsSync(join(root, name.replace(/(?:\.d\.ts|\.js|\.js\.map)$/, '.ts'))))
      rmSync(join(root, 'dist', name))
  }
  if (readdirSync(output).length === 0) rmdirSync(output)
}

for (const folder of ['src', 'schemas', 'test', 'bench']) clean(folder)
