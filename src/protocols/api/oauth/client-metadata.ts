// Reads what a client says about itself when it registers (RFC 7591), or at the URL that is its id (Client ID Metadata Document). Only what
// is needed is kept. All clients are public: their codes are protected by PKCE, so no secret of a client is stored.

import { isIP } from 'node:net'
import { MAX_KEPT_CHARACTERS } from '../../../admission/unfinished-rows.js'

export interface ClientMetadata {
  client_name: string
  redirect_uris: string[]
  application_type: 'native' | 'web'
  grant_types: string[]
  response_types: string[]
  token_endpoint_auth_method: 'none'
}

/** A refusal in the words of RFC 7591 §3.2.2. */
export class BadClient extends Error {
  readonly code: 'invalid_client_metadata' | 'invalid_redirect_uri'

  constructor(code: BadClient['code'], message: string) {
    super(message)
    this.code = code
  }
}

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const CODE_GRANTS = ['authorization_code', 'refresh_token']

const MAX_NAME_CHARACTERS = 100
const MAX_REDIRECTS = 20
const MAX_URI_CHARACTERS = 2_000
/** Schemes that a browser would run or open itself. */
const NOT_OF_PROGRAMS = /^(?:javascript|vbscript|data|blob|file|about|ftp|wss?):$/

/** Throws BadClient. `name` stands for a client without one. */
export function readClientMetadata(value: unknown, name: string): ClientMetadata {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new BadClient('invalid_client_metadata', 'Send the metadata of the client as a JSON object.')
  const fields = value as Record<string, unknown>
  const grants = wordsIn(fields, 'grant_types') ?? CODE_GRANTS
  const isDevice = grants.includes(DEVICE_GRANT)
  const redirects = wordsIn(fields, 'redirect_uris') ?? []
  if (redirects.length === 0 && !isDevice)
    throw new BadClient('invalid_redirect_uri', 'redirect_uris must name at least one URL.')
  for (const uri of redirects) refuseRedirect(uri)
  const kept: ClientMetadata = {
    client_name: nameIn(fields) ?? name,
    redirect_uris: redirects,
    application_type: redirects.some(isOfProgram) ? 'native' : 'web',
    grant_types: [...(redirects.length === 0 ? ['refresh_token'] : CODE_GRANTS), ...(isDevice ? [DEVICE_GRANT] : [])],
    response_types: redirects.length === 0 ? [] : ['code'],
    token_endpoint_auth_method: 'none',
  }
  if (JSON.stringify(kept).length <= MAX_KEPT_CHARACTERS) return kept
  throw new BadClient(
    'invalid_client_metadata',
    `redirect_uris and client_name have more than ${MAX_KEPT_CHARACTERS} characters together: send fewer or shorter ones.`,
  )
}

/** Whether the host is this very machine, where a program waits for the browser. */
export function isLoopback(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, '')
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'))
}

/** Returns the origins of the web pages to which a browser is sent back: those of the client itself. */
export function originsOf(redirectUris: readonly string[]): string[] {
  const origins = redirectUris.map((uri) => new URL(uri).origin)
  return [...new Set(origins.filter((origin) => origin !== 'null'))]
}

/** Returns the host to which a browser is sent back, or the scheme of a program's own. */
export function placeOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri)
  return protocol === 'https:' || protocol === 'http:' ? host : protocol.slice(0, -1)
}

function refuseRedirect(uri: string): void {
  const url = uri.length <= MAX_URI_CHARACTERS && URL.canParse(uri) ? new URL(uri) : undefined
  const isAllowed =
    url !== undefined &&
    !uri.includes('#') &&
    url.username === '' &&
    url.password === '' &&
    (url.protocol !== 'http:' || isLoopback(url.hostname)) &&
    !NOT_OF_PROGRAMS.test(url.protocol)
  if (isAllowed) return
  throw new BadClient(
    'invalid_redirect_uri',
    'Each of redirect_uris must be an https URL, http at this machine (http://127.0.0.1/…), or a program’s own scheme, without #.',
  )
}

function isOfProgram(uri: string): boolean {
  const { protocol, hostname } = new URL(uri)
  return protocol !== 'https:' || isLoopback(hostname)
}

function nameIn({ client_name: name }: Record<string, unknown>): string | undefined {
  if (typeof name !== 'string') return undefined
  // Characters that are not seen could hide the rest of a name, or turn it around.
  const seen = name.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()
  return seen === '' ? undefined : Array.from(seen).slice(0, MAX_NAME_CHARACTERS).join('')
}

function wordsIn(fields: Record<string, unknown>, name: string): string[] | undefined {
  const value = fields[name]
  if (value === undefined || value === null) return undefined
  if (Array.isArray(value) && value.length <= MAX_REDIRECTS && value.every((word) => typeof word === 'string'))
    return [...new Set(value)]
  throw new BadClient('invalid_client_metadata', `${name} must be a list of at most ${MAX_REDIRECTS} texts.`)
}
