// `npm run dev`: after each change, bundles the program and restarts the service. Shows type errors meanwhile.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { watch } from 'rolldown'
import { copyHooks } from './build/copy-hooks.js'
import { programBundle } from './build/program-bundle.js'

/** Time for the service to stop before it is killed. */
const STOP_MS = 500

const program = fileURLToPath(new URL('../dist/dev/bin/palimpsest.js', import.meta.url))
const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url))

const types = spawn(process.execPath, [compiler, '--noEmit', '--watch', '--preserveWatchOutput'], { stdio: 'inherit' })
// Restarting the service has priority over the list of type errors.
setPriority(types.pid, 10)

rmSync(new URL('../dist/dev/', import.meta.url), { recursive: true, force: true })
copyHooks('dev')

let service
let restarting = Promise.resolve()
const watcher = watch(programBundle('dev', { cleanDir: false }))
watcher.on('event', async (event) => {
  if (event.code === 'ERROR') console.error(event.error.message)
  if (event.code !== 'BUNDLE_END') return
  await event.result.close()
  restarting = restarting.then(restart)
})

async function restart() {
  await stop(service)
  service = spawn(process.execPath, ['--enable-source-maps', program, 'serve'], { stdio: 'inherit' })
}

async function stop(child) {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  const hasExited = once(child, 'exit')
  child.kill()
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await hasExited
  clearTimeout(late)
}
