// The configuration of token introspection (RFC 7662).

import type { IntrospectionSettings } from '../../catalog/identity/introspection.js'
import { isSafeUrl } from './safe-url.js'
import type { Environment } from './schema.js'

/** The audience is undefined if it is the base URL. */
export type IntrospectionConfig = Omit<IntrospectionSettings, 'audience'> & { audience: string | undefined }

/** A revocation takes effect within this time. */
const CACHE_SECONDS = 5

/** Returns the settings; undefined if only the service's own keys are accepted. */
export function introspectionOf(env: Environment): IntrospectionConfig | undefined {
  if (env.INTROSPECTION_URL === undefined) return undefined
  return {
    url: env.INTROSPECTION_URL,
    clientId: env.INTROSPECTION_CLIENT_ID ?? '',
    clientSecret: env.INTROSPECTION_CLIENT_SECRET ?? '',
    issuer: env.INTROSPECTION_ISSUER,
    audience: env.INTROSPECTION_AUDIENCE,
    workspaceClaim: env.INTROSPECTION_WORKSPACE_CLAIM,
    sitesClaim: env.INTROSPECTION_SITES_CLAIM,
    cacheSeconds: CACHE_SECONDS,
  }
}

/** Lists problems, one line each. Tokens and the client's secret are sent to the URL, so it must be https or on this machine. */
export function checkIntrospection(env: Environment): string[] {
  const { INTROSPECTION_URL: text, INTROSPECTION_CLIENT_ID: id, INTROSPECTION_CLIENT_SECRET: secret } = env
  if (text === undefined) return []
  const problems =
    id === undefined || secret === undefined
      ? ['INTROSPECTION_URL needs INTROSPECTION_CLIENT_ID and INTROSPECTION_CLIENT_SECRET']
      : []
  if (isSafeUrl(text)) return problems
  return [...problems, 'INTROSPECTION_URL must be an https URL, or http on this machine']
}
