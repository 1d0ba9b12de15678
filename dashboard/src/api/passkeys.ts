// Passkeys of this browser. The code that talks to them is loaded when a person first uses one.

import { api, dataOf, type Passkey, type PasskeyQuestion } from './client.js'

/** Whether the browser has passkeys here. Browsers have them only over https, and at localhost. */
export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential !== 'undefined'
}

/** Begins a session with a passkey. Throws an error for people. */
export async function signInWithPasskey(): Promise<void> {
  dataOf(await api.POST('/session/passkey', { body: await answer() }))
}

/** Proves again who the signed-in person is. Throws an error for people. */
export async function proveWithPasskey(): Promise<void> {
  dataOf(await api.POST('/session/proof', { body: await answer() }))
}

/**
 * Whether the proof of who the person is is fresh. Asks for one if it is not. Options for a passkey need such a proof too, and asking for
 * them changes nothing.
 */
export async function isProvenFreshly(): Promise<boolean> {
  const options = await api.POST('/me/passkeys/options')
  const { status } = options.response
  if (status === 403) return false
  // The answer to somebody who has as many passkeys as one may have.
  if (status !== 409) dataOf(options)
  return true
}

/** Makes a passkey on this device, and adds it to the account. Throws an error for people. */
export async function addPasskey(): Promise<Passkey> {
  const { challenge, rpId, user, exclude } = dataOf(await api.POST('/me/passkeys/options'))
  const { client, utils } = await import('@passwordless-id/webauthn')
  const excludeCredentials = exclude.map((id) => ({ id: utils.parseBase64url(id), type: 'public-key' }))
  const made = await client
    .register({
      challenge,
      domain: rpId,
      user: { ...user, displayName: user.name },
      userVerification: 'required',
      discoverable: 'required',
      attestation: false,
      customProperties: { excludeCredentials },
    })
    .catch(explain(NOT_MADE))
  const { clientDataJSON, authenticatorData, publicKey, publicKeyAlgorithm } = made.response
  const algorithm = publicKeyAlgorithm as -7 | -257
  const body = { credentialId: made.id, clientDataJSON, authenticatorData, publicKey, algorithm }
  return dataOf(await api.POST('/me/passkeys', { body }))
}

/** Lets a passkey of this browser answer a question of the service. */
async function answer() {
  const data = dataOf(await api.POST('/session/passkey/options'))
  const { client } = await import('@passwordless-id/webauthn')
  const found = await client
    .authenticate({ challenge: data.challenge, domain: data.rpId, userVerification: 'required' })
    .catch(explain(adviceFor(data)))
  const { clientDataJSON, authenticatorData, signature, userHandle = '' } = found.response
  return { credentialId: found.id, clientDataJSON, authenticatorData, signature, userHandle }
}

const NOT_MADE = 'No passkey was made. Try again, or add one later in your profile.'

/** Tells how to come in without a passkey that works here. A former address is the likely reason if there was one. */
function adviceFor({ rpId, formerHosts }: PasskeyQuestion): string {
  const advice = 'No passkey was used. Try again, or sign in another way.'
  if (formerHosts.length === 0) return advice
  const former = formerHosts.join(', ')
  return `${advice} Passkeys made for ${former} do not work at ${rpId}: come in another way, or ask an owner for a link, and add a new passkey.`
}

/** Returns a handler that turns a failure of the browser into words for people. */
function explain(otherwise: string): (cause: unknown) => never {
  return (cause) => {
    const name = cause instanceof DOMException ? cause.name : ''
    if (name === 'InvalidStateError')
      throw new Error('This device has a passkey for you already: sign in with that.', { cause })
    if (name === 'SecurityError')
      throw new Error('Passkeys work only at the address that the service is set up for: open the dashboard there.', {
        cause,
      })
    throw new Error(otherwise, { cause })
  }
}
