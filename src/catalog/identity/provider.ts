// An identity provider (OpenID Connect Core): leads people to it, and checks what they bring back. Its metadata is kept for an hour,
// or until something fails.

import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  type ClientAuth,
  type Configuration,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
} from 'openid-client'
import { createRemoteJWKSet, type JWTVerifyGetKey } from 'jose'
import type { Gate } from '../../admission/gate.js'
import { waited } from '../../admission/waits.js'
import { explainFailure, untrusted } from './provider-errors.js'
import { CLOCK_SECONDS, type ProviderSettings } from './provider-settings.js'
import { type Claims, readPerson, type ProviderPerson } from './provider-person.js'
import { type LogoutOrder, readLogoutToken } from './logout-token.js'

/** The secrets of one sign-in, which only the browser's sign-in may use. */
export interface SignInSecrets {
  state: string
  nonce: string
  /** RFC 7636. */
  verifier: string
}

/** A person who signed in at the provider before that does so again. */
const MAX_AGE_SECONDS = 30 * 86_400
const METADATA_MS = 3_600_000
/** Seconds without an answer after which the provider counts as down. */
const MAX_ANSWER_SECONDS = 5

export class Provider {
  readonly settings: ProviderSettings
  readonly #baseUrl: string
  readonly #gate: Gate
  #found: { configuration: Promise<Configuration>; until: number } | undefined
  #keys: { url: string; keys: JWTVerifyGetKey } | undefined

  /** `gate` limits how many people wait for it at once. */
  constructor(settings: ProviderSettings, baseUrl: string, gate: Gate) {
    this.settings = settings
    this.#baseUrl = baseUrl
    this.#gate = gate
  }

  /** Returns the URL at which the person proves who they are; with `isProof` anew. Throws `identity_provider_down`, `sign_in_refused`. */
  async begin({ state, nonce, verifier }: SignInSecrets, isProof: boolean): Promise<URL> {
    return await this.#ask(async (configuration) =>
      buildAuthorizationUrl(configuration, {
        redirect_uri: this.redirectUri,
        scope: this.settings.scopes,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        // Asked for an age, the provider tells when the person signed in there.
        ...(isProof ? { max_age: '0', prompt: 'login' } : { max_age: String(MAX_AGE_SECONDS) }),
      }),
    )
  }

  /**
   * Returns who the person is. `query` is that of the callback; `provenWithin` the seconds within which the person must have signed in
   * at the provider. Throws `identity_provider_down` and `sign_in_refused`.
   */
  async finish(
    query: string,
    { state, nonce, verifier }: SignInSecrets,
    provenWithin?: number,
  ): Promise<ProviderPerson> {
    return await this.#ask(async (configuration) => {
      const tokens = await authorizationCodeGrant(configuration, new URL(`${this.redirectUri}?${query}`), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
        ...(provenWithin !== undefined && { maxAge: provenWithin }),
      })
      const claims = tokens.claims() as Claims
      const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined
      const userinfo = hasMore ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : {}
      return readPerson({ idToken: claims, userinfo }, this.settings)
    })
  }

  /** Returns the URL that ends the person's session at the provider too; undefined if it has none, or gives no answer. */
  async endSessionUrl(): Promise<string | undefined> {
    try {
      return await this.#ask((configuration) => {
        if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined
        return buildEndSessionUrl(configuration, { post_logout_redirect_uri: `${this.#baseUrl}/sign-in` }).href
      })
    } catch {
      return undefined
    }
  }

  /** Reads a logout token (OpenID Connect Back-Channel Logout §2.6). Throws `identity_provider_down` and `sign_in_refused`. */
  async readLogout(token: string): Promise<LogoutOrder> {
    return await this.#ask(async (configuration) => {
      const { jwks_uri: url } = configuration.serverMetadata()
      if (url === undefined) throw untrusted(this.settings.name, 'it publishes no keys')
      if (this.#keys?.url !== url)
        this.#keys = { url, keys: createRemoteJWKSet(new URL(url), { timeoutDuration: MAX_ANSWER_SECONDS * 1000 }) }
      return await readLogoutToken(token, this.#keys.keys, this.settings)
    })
  }

  /** The URL to which this provider alone sends people back, so that no other can pass its answers on (RFC 9700 §4.4.2). */
  get redirectUri(): string {
    return `${this.#baseUrl}/session/callback/${this.settings.id}`
  }

  async #ask<T>(work: (configuration: Configuration) => T | Promise<T>): Promise<T> {
    const leave = this.#gate.enterNow(this.settings.id)
    try {
      return await waited('provider', this.#configuration().then(work))
    } catch (error) {
      // Its metadata or keys may have changed.
      this.#found = undefined
      throw explainFailure(error, this.settings.name)
    } finally {
      leave()
    }
  }

  #configuration(): Promise<Configuration> {
    const now = performance.now()
    if (this.#found !== undefined && this.#found.until > now) return this.#found.configuration
    const configuration = this.#discover()
    this.#found = { configuration, until: now + METADATA_MS }
    return configuration
  }

  async #discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret, name } = this.settings
    // The setting allows plain http only to this machine.
    const isPlain = issuer.startsWith('http:')
    const configuration = await discovery(
      new URL(issuer),
      clientId,
      { [clockTolerance]: CLOCK_SECONDS },
      clientSecret === undefined ? None() : bySecret(clientSecret),
      {
        timeout: MAX_ANSWER_SECONDS,
        execute: isPlain ? [allowInsecureRequests, enableNonRepudiationChecks] : [enableNonRepudiationChecks],
      },
    )
    const found = configuration.serverMetadata()
    if (found.issuer !== issuer) throw untrusted(name, `it calls itself ${found.issuer}: set issuer to exactly that`)
    return configuration
  }
}

/** Sends the secret as the provider takes it: by HTTP Basic, unless it names only other ways. */
function bySecret(secret: string): ClientAuth {
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)]
  return (provider, ...rest) => {
    const taken = provider.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (taken.includes('client_secret_basic') ? basic : post)(provider, ...rest)
  }
}
