// The passkeys of a signed-in person: list, add, rename, remove.

import {
  type AddPasskeyBody,
  MAX_PASSKEYS,
  type PasskeyData,
  type PasskeyOptionsData,
} from '../../../schemas/account.js'
import type { Passkey } from '../../catalog/people/passkeys.js'
import { toSeconds, toTimestamp } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { MAX_LABEL_CHARACTERS, parseLabel } from '../../model/label.js'
import type { Call } from '../context/call.js'
import { recordAudit } from '../context/audit.js'
import type { ResourceId } from '../context/input.js'
import type { Result } from '../context/result.js'
import { personOfSession } from '../people/account.js'
import { checkNewPasskey } from './passkey-check.js'
import { makeChallenge, placeOf, takeChallenge } from './passkey-sign-in.js'

/** Lists the passkeys with names and last uses, also those made for a former address of the service. */
export async function listPasskeys(call: Call<'baseUrl' | 'catalog'>): Promise<Result<PasskeyData[]>> {
  const passkeys = await call.catalog.passkeys.listOf(personOfSession(call).id)
  return { data: passkeys.map((passkey) => toData(call, passkey)) }
}

/** Returns the options for a new passkey. Throws `conflict` if the person has too many. */
export async function beginPasskey(call: Call<'baseUrl' | 'catalog' | 'clock'>): Promise<Result<PasskeyOptionsData>> {
  const { id, name } = personOfSession(call)
  const { rpId } = placeOf(call)
  const present = await call.catalog.passkeys.listOf(id)
  if (present.length >= MAX_PASSKEYS)
    throw new ServiceError('conflict', `You have ${MAX_PASSKEYS} passkeys: remove one that you no longer use.`)
  const exclude = present
    .filter((passkey) => passkey.rpId === rpId && passkey.loan === null)
    .map(({ credentialId }) => credentialId)
  const challenge = await makeChallenge(call, byOf(call))
  return { data: { challenge, rpId, user: { id, name }, exclude } }
}

/** Adds the passkey that answered the options. Throws `passkey_refused`, and `conflict` for one that is there already. */
export async function addPasskey(
  call: Call<'baseUrl' | 'catalog' | 'clock' | 'newId'>,
  input: AddPasskeyBody,
): Promise<Result<PasskeyData>> {
  const { catalog, clock, newId } = call
  const person = personOfSession(call)
  const { rpId, origin } = placeOf(call)
  const challenge = await takeChallenge(call, byOf(call), input.clientDataJSON)
  const { algorithm, publicKey, counter, keeper = 'Passkey' } = checkNewPasskey(input, { challenge, origin, rpId })
  const passkey: Passkey = {
    id: newId(),
    userId: person.id,
    credentialId: input.credentialId,
    publicKey,
    algorithm,
    counter,
    rpId,
    name: parseLabel(input.name ?? keeper.slice(0, MAX_LABEL_CHARACTERS), 'name'),
    createdAt: toTimestamp(toSeconds(clock())),
    lastUsedAt: null,
    loan: null,
  }
  if (!(await catalog.passkeys.create(passkey)))
    throw new ServiceError('conflict', 'This passkey is there already: GET /me/passkeys lists yours.')
  await recordAudit(call, { action: 'passkey.add', target: `passkey ${passkey.id}` })
  return { data: toData(call, passkey), created: true, location: `/me/passkeys/${passkey.id}` }
}

/** Throws `passkey_not_found`. */
export async function renamePasskey(
  call: Call<'baseUrl' | 'catalog'>,
  input: ResourceId & { name: string },
): Promise<Result<PasskeyData>> {
  const passkey = await findOwn(call, input.id)
  const name = parseLabel(input.name, 'name')
  if (!(await call.catalog.passkeys.rename(passkey.userId, passkey.id, name))) throw notFound()
  return { data: toData(call, { ...passkey, name }) }
}

/** Throws `passkey_not_found`. */
export async function removePasskey(call: Call<'catalog'>, input: ResourceId): Promise<Result<{ id: string }>> {
  const { id, userId } = await findOwn(call, input.id)
  if (!(await call.catalog.passkeys.remove(userId, id))) throw notFound()
  await recordAudit(call, { action: 'passkey.remove', target: `passkey ${id}` })
  return { data: { id } }
}

async function findOwn(call: Call<'catalog'>, id: string): Promise<Passkey> {
  const { catalog } = call
  const own = await catalog.passkeys.listOf(personOfSession(call).id)
  const passkey = own.find((one) => one.id === id.toLowerCase())
  if (passkey === undefined) throw notFound()
  return passkey
}

/** Binds a challenge to the session: no other session can finish what this one began. */
function byOf({ principal }: Call): string {
  return `session ${principal.id}`
}

function notFound(): ServiceError {
  return new ServiceError('passkey_not_found', 'You have no such passkey: GET /me/passkeys lists yours.')
}

function toData(call: Call<'baseUrl'>, { id, name, rpId, createdAt, lastUsedAt, loan }: Passkey): PasskeyData {
  const works = rpId === placeOf(call).rpId
  return { id, name, host: rpId, works, isBorrowed: loan !== null, createdAt, lastUsedAt }
}
