// Loads oidc-provider with the first request that needs it, as it is a tenth of the code loaded at a start. Its index warns on the console
// about releases of Node below 22; all that is used here runs on 20 too. So the modules behind the index are loaded.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context, Middleware } from 'koa'

/** A request for consent, as the library keeps it. */
export interface Interaction {
  uid: string
  params: Readonly<Record<string, unknown>>
  /** Seconds since the epoch. */
  exp: number
  save(seconds: number): Promise<unknown>
}

export interface Grant {
  jti: string
  exp: number
  addResourceScope(resource: string, scope: string): void
  save(): Promise<string>
}

/** A client's metadata in the library's words. */
export interface Client {
  clientId: string
  clientName?: string
  redirectUris: readonly string[]
  metadata(): Record<string, unknown>
}

/** The answer to a request for consent. */
export type InteractionResult =
  | { login: { accountId: string; remember: boolean }; consent: { grantId: string } }
  | { error: string; error_description: string }

/** The part of the library's Provider that is used. */
export interface Provider {
  middleware: Middleware[]
  on(event: 'server_error', listener: (ctx: Context, error: unknown) => void): void
  Client: {
    new (metadata: object): Client
    find(id: string): Promise<Client | undefined>
  }
  Grant: new (fields: { jti: string; accountId: string; clientId: string }) => Grant
  RefreshToken: { prototype: { generateTokenId: (this: object) => string } }
  interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>
  interactionResult(request: IncomingMessage, response: ServerResponse, result: InteractionResult): Promise<string>
}

/** The context of a request within the library. */
interface DeviceCodes {
  findByUserCode(code: string, options: { ignoreExpiration: boolean }): Promise<DeviceCode | undefined>
}

interface DeviceCode {
  clientId: string
  isExpired: boolean
  error?: string
  accountId?: string
  inFlight?: boolean
}

export interface ProviderContext extends Context {
  state: { userCode?: string; client?: string }
  oidc: {
    route: string
    client?: Client
    params?: Record<string, unknown>
    /** The models that the request is about, by their kinds. */
    entities: { RotatedRefreshToken?: { jti: string } }
    result?: { consent?: { grantId?: string } }
    session: { state?: { secret: string } }
    provider: { DeviceCode: DeviceCodes; Client: { find(id: string): Promise<Client | undefined> } }
  }
}

interface Library {
  Provider: (new (issuer: string, configuration: object) => Provider) & { ctx: ProviderContext | undefined }
  errors: Record<'InvalidTarget' | 'InvalidGrant' | 'InvalidRequest', new (message?: string) => Error>
  policy: {
    Check: new (reason: string, description: string, error: string, check: (ctx: ProviderContext) => boolean) => object
    Prompt: new (options: { name: string; requestable: boolean }, ...checks: object[]) => object
    base: () => { clear(): void; add(prompt: object): void }
  }
}

export async function loadOidcProvider(): Promise<Library> {
  const [{ Provider }, errors, policy] = await Promise.all([
    import('oidc-provider/lib/provider.js'),
    import('oidc-provider/lib/helpers/errors.js'),
    import('oidc-provider/lib/helpers/interaction_policy/index.js'),
  ])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the package comes without types
  return { Provider, errors, policy } as Library
}
