// Tells of changes in a folder and in those below it.

import { type FSWatcher, watch } from 'node:fs'
import { sep } from 'node:path'
import { printError } from '../terminal/printable.js'

/** An editor or a build writes several times in a row: all of it is one change. */
const REST_MS = 50

/** Calls `onChange` once the folder rests after a change. */
export function watchFolder(folder: string, onChange: () => void): FSWatcher {
  let timer: NodeJS.Timeout | undefined
  const watcher = watch(folder, { recursive: true }, (_event, name) => {
    if (name !== null && isOfTools(name)) return
    clearTimeout(timer)
    timer = setTimeout(onChange, REST_MS)
  })
  watcher.on('close', () => clearTimeout(timer))
  watcher.on('error', (error) => printError(`Changes are not seen any more: ${error.message}. Reload by hand.`))
  return watcher
}

/** Whether the name lies in a folder whose content no site serves, and that tools write to all the time. */
function isOfTools(name: string): boolean {
  return name.split(sep).some((part) => part === '.git' || part === 'node_modules')
}
