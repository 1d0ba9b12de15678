// Names the browser and the system of a request, so that people recognize their sessions: "Firefox on Windows".

import type { RequestOrigin } from '../../../usecases/context/request-context.js'
import type { ApiContext } from '../request/request-state.js'

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Returns the facts about the client that the audit log keeps. */
export function originOf({ state, req }: Pick<ApiContext, 'state' | 'req'>): RequestOrigin {
  const device = deviceOf(req.headers['user-agent'])
  return { ...(state.client !== undefined && { address: state.client }), ...(device !== undefined && { device }) }
}

/** Reads a User-Agent field. Undefined for one that names no known browser. */
export function deviceOf(userAgent: string | undefined): string | undefined {
  const browser = nameIn(BROWSERS, userAgent)
  const system = nameIn(SYSTEMS, userAgent)
  if (browser === undefined) return system
  return system === undefined ? browser : `${browser} on ${system}`
}

function nameIn(names: readonly (readonly [RegExp, string])[], userAgent = ''): string | undefined {
  return names.find(([pattern]) => pattern.test(userAgent))?.[1]
}
