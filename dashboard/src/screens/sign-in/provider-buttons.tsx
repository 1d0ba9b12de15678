// One button for each identity provider at which people sign in.

export function ProviderButtons() {
  return null
}
