// The calls of the dashboard that write, as its source has them, and as a browser makes them.

import { readdirSync, readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

const SOURCE = 'dashboard/src'
const CALL = /\.(POST|PUT|PATCH|DELETE)\(\s*'([^']+)'/g
/** Modules that send without the typed client. */
const OTHER_CALLS = [
  'api/consent.ts POST /oauth/consent/{uid}/answer',
  'api/put-file.ts PUT /files',
  'screens/files/upload.ts POST /deploys',
  'screens/files/upload.ts POST /deploys/{id}/publish',
]

/** Lists `<module> <method> <route>` of each. */
export function callsInSource(): string[] {
  const modules = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name))
  const found = modules.flatMap((module) =>
    Array.from(
      readFileSync(`${SOURCE}/${module}`, 'utf8').matchAll(CALL),
      ([, method = '', route = '']) => `${module} ${method} ${route}`,
    ),
  )
  return [...new Set([...found, ...OTHER_CALLS])].toSorted()
}

/** Notes the writes that the tab asks for from now on. Returns what tells whether a call was among them. */
export function noteCalls(tab: Page): (call: string) => boolean {
  const made: string[] = []
  tab.on('request', (request) => {
    made.push(`${request.method()} ${new URL(request.url()).pathname.replace(/^\/api\/v1/, '')}`)
  })
  return (call) => {
    const [, method = '', route = ''] = call.split(' ')
    const pattern = new RegExp(`^${method} ${route.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
    return made.some((each) => pattern.test(each))
  }
}

/** Notes the addresses to which the tab comes from now on. Returns what tells whether a screen of the table was among them. */
export function noteScreens(tab: Page): (screen: string) => boolean {
  const seen: string[] = []
  tab.on('framenavigated', (frame) => {
    if (frame === tab.mainFrame()) seen.push(new URL(frame.url()).pathname)
  })
  return (screen) => {
    const pattern = new RegExp(`^${screen.replaceAll(/:\w+/g, '[^/]+')}$`)
    return seen.some((path) => pattern.test(path))
  }
}
