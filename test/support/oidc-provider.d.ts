// The part of oidc-provider that the tests use; the package comes without types.

declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

  export class Provider {
    constructor(issuer: string, configuration: object)
    callback(): RequestListener
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
    Grant: new (
      fields: object,
    ) => { addOIDCScope(scope: string): void; save(): Promise<string> }
    on(event: string, listener: (...words: never[]) => void): void
  }
}
