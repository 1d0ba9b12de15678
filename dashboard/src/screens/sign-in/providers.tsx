// The identity providers at which people can sign in.

/** Shows a button for each provider. With `prove`, signing in there proves again who a signed-in person is. */
export function Providers(_: { prove?: boolean }) {
  return null
}
