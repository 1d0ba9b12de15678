// Opens addresses in the person's browser, where there is one.

import { spawn } from 'node:child_process'
import { once } from 'node:events'

type Environment = Readonly<Record<string, string | undefined>>

/** Whether a browser can be opened that reaches this machine's loopback address. */
export function hasBrowser(env: Environment, platform = process.platform): boolean {
  if (env['SSH_CONNECTION'] || env['SSH_TTY']) return false
  return platform === 'darwin' || platform === 'win32' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'])
}

/**
 * Starts `BROWSER`, or else the browser of the system. No shell sees the address: it is an argument of its own. Returns the name of the
 * program if it is not installed.
 */
export async function openBrowser(address: string, env: Environment = process.env): Promise<string | undefined> {
  const [program, ...options] = commandOf(env)
  const browser = spawn(program, [...options, address], { stdio: 'ignore', detached: true })
  browser.unref()
  return await once(browser, 'spawn').then(
    () => undefined,
    () => program,
  )
}

function commandOf({ BROWSER: chosen }: Environment): [string, ...string[]] {
  if (chosen) return [chosen]
  if (process.platform === 'darwin') return ['open']
  return process.platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open']
}
