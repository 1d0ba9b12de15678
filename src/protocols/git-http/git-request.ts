// Parses a request of git over HTTP (gitprotocol-http): what it asks for, and its credentials.

import type { IncomingMessage } from 'node:http'
import { ServiceError } from '../../model/errors.js'
import { isSlug } from '../../model/hosts/slug.js'

export type GitService = 'git-upload-pack' | 'git-receive-pack'

export interface GitRequest {
  slug: string
  service: GitService
  /** Whether the service's advertisement is requested, by GET; otherwise the service itself, by POST. */
  isDiscovery: boolean
  /** The newest protocol that the client speaks. */
  version: 0 | 1 | 2
}

const PREFIX = '/git/'
/** People leave out ".git", and end the URL with a slash. */
const PATH = /^\/git\/([^/]+?)(?:\.git)?\/+(info\/refs|git-upload-pack|git-receive-pack)$/

/** Whether a URL is one of git over HTTP. `url` is in origin form. */
export function isOfGit(url: string): boolean {
  return url.startsWith(PREFIX)
}

/** Whether a URL is one of Git LFS (git-lfs, docs/api/server-discovery.md). */
export function isOfLfs(url: string): boolean {
  return /^\/git\/[^/]+\/+info\/lfs(?:[/?]|$)/.test(url)
}

/** Parses the request. Throws `route_not_found`, `method_not_allowed` and `invalid_query`. */
export function parseGitRequest({ url = '', method = '', headers }: IncomingMessage): GitRequest {
  const [path = '', query = ''] = url.split('?', 2)
  const [, slug = '', name = ''] = PATH.exec(path) ?? []
  if (!isSlug(slug))
    throw new ServiceError('route_not_found', 'This address is for git: git clone <this host>/git/<slug>.git')
  const isDiscovery = name === 'info/refs'
  const allowed = isDiscovery ? 'GET' : 'POST'
  if (method !== allowed)
    throw new ServiceError('method_not_allowed', `${method} is not allowed here: send ${allowed}.`, { allowed })
  const service = isDiscovery ? serviceIn(query) : (name as GitService)
  return { slug, service, isDiscovery, version: versionOf(headers['git-protocol']) }
}

function serviceIn(query: string): GitService {
  const service = new URLSearchParams(query).get('service')
  if (service === 'git-upload-pack' || service === 'git-receive-pack') return service
  throw new ServiceError('invalid_query', 'This repository is cloned by the smart protocol: use git 1.6.6 or newer.')
}

/** Reads the protocol version. Keys of git-protocol are separated by colons (gitprotocol-http, "Git-Protocol"). */
function versionOf(field: string | string[] | undefined): GitRequest['version'] {
  const words = String(field ?? '').split(':')
  if (words.includes('version=2')) return 2
  return words.includes('version=1') ? 1 : 0
}

/**
 * Returns the API key or token: the password of Basic with any user name (RFC 7617), or a bearer token (RFC 6750 §2.1). Undefined
 * without credentials; empty if they cannot be read.
 */
export function credentialOf({ headersDistinct }: IncomingMessage): string | undefined {
  const fields = headersDistinct['authorization'] ?? []
  if (fields.length === 0) return undefined
  const [, scheme = '', value = ''] = (fields.length === 1 && /^(Basic|Bearer) +(\S+) *$/i.exec(fields[0] ?? '')) || []
  if (scheme.toLowerCase() === 'bearer') return value
  const text = Buffer.from(value, 'base64').toString()
  return text.slice(text.indexOf(':') + 1)
}
