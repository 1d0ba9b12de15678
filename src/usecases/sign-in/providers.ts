// The identity providers at which people sign in.

import type { SignInProvidersData } from '../../../schemas/sign-in.js'
import type { Provider } from '../../catalog/identity/provider.js'
import { ServiceError } from '../../model/errors.js'
import type { Services } from '../context/services.js'

/** Throws `identity_provider_not_found`. */
export function findProvider({ providers }: Pick<Services, 'providers'>, id: string): Provider {
  const provider = providers.find(({ settings }) => settings.id === id)
  if (provider !== undefined) return provider
  throw new ServiceError(
    'identity_provider_not_found',
    'There is no such identity provider: GET /session/providers lists those at which people sign in.',
  )
}

/** Lists the providers for the sign-in screen. */
export function listProviders({ providers }: Pick<Services, 'providers'>): SignInProvidersData['providers'] {
  return providers.map(({ settings: { id, name, issuer } }) => ({ id, name, issuer }))
}
