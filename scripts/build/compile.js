// Compiles the service, its tests and its benchmarks into dist/, and copies the hooks there. Removes the output of moved or deleted
// sources.

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { copyHooks } from './copy-hooks.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Removes stale files below `dist/<folder>`, and folders that become empty. */
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

const compiler = join(root, 'node_modules/typescript/bin/tsc')
const { status } = spawnSync(process.execPath, [compiler], { cwd: root, stdio: 'inherit' })
if (status !== 0) process.exit(1)
for (const folder of ['src', 'schemas', 'test', 'bench', 'dashboard']) clean(folder)
copyHooks('src')
