// Copies the hooks' shell scripts next to the program that they run (src/repository/hooks/site-hooks.ts).

import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const hooks = join('repository', 'hooks')

/** `build` is a folder of `dist`: `src`, the output of tsc, or a bundle. */
export function copyHooks(build) {
  const scripts = readdirSync(join(root, 'src', hooks)).filter((name) => name.endsWith('.sh'))
  for (const name of scripts) cpSync(join(root, 'src', hooks, name), join(root, 'dist', build, hooks, name))
}
