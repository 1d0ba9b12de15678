// The modules of oidc-provider that are used. The package comes without types: `library.ts` has those of the parts that are used.

declare module 'oidc-provider/lib/provider.js' {
  export const Provider: unknown
}

declare module 'oidc-provider/lib/helpers/errors.js' {
  export const InvalidTarget: unknown
  export const InvalidGrant: unknown
  export const InvalidRequest: unknown
}

declare module 'oidc-provider/lib/helpers/interaction_policy/index.js' {
  export const Check: unknown
  export const Prompt: unknown
  export const base: unknown
}
