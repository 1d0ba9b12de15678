// Installs the hooks of a repository (githooks). The caller gives their texts.

import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileDurable } from '../disk/durable.js'

/** Text of each file in `hooks/` by its name, in the order of installation. Null for a file that must not be there. */
export type Hooks = Readonly<Record<string, string | null>>

const EXECUTABLE = 0o755

/** Writes the hooks that are missing, were changed, or are not executable, and removes those that are no more. */
export function installHooks(gitdir: string, hooks: Hooks): void {
  const folder = join(gitdir, 'hooks')
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(hooks)) {
    const path = join(folder, name)
    if (text === null) {
      rmSync(path, { force: true })
      continue
    }
    if (isInstalled(path, text)) continue
    const temporary = join(folder, `.${name}-${randomBytes(8).toString('hex')}`)
    writeFileDurable(temporary, Buffer.from(text), EXECUTABLE)
    // Independent of the umask: operators other than the service's user must be able to run it.
    chmodSync(temporary, EXECUTABLE)
    renameSync(temporary, path)
  }
}

function isInstalled(path: string, text: string): boolean {
  try {
    return (statSync(path).mode & EXECUTABLE) === EXECUTABLE && readFileSync(path, 'utf8') === text
  } catch {
    return false
  }
}
