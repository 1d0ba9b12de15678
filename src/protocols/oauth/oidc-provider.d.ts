// The modules of oidc-provider that are used; the package comes without types.

declare module 'oidc-provider/lib/provider.js' {
  export const Provider: import('./library.js').Library['Provider']
}

declare module 'oidc-provider/lib/helpers/errors.js' {
  export const InvalidTarget: new (message?: string) => Error
  export const InvalidGrant: new (message?: string) => Error
}

declare module 'oidc-provider/lib/helpers/interaction_policy/index.js' {
  type Policy = import('./library.js').Library['policy']
  export const Check: Policy['Check']
  export const Prompt: Policy['Prompt']
  export const base: Policy['base']
}
