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
import { recordAudit } from '../context/audit.js'
import type { ResourceId } from '../context/input.js'
import type { RequestContext } from '../context/request-context.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { personOfSession } from './account.js'
import { checkNewPasskey } from './passkey-check.js'
import { makeChallenge, placeOf, takeChallenge } from './passkey-sign-in.js'

type Parts = Pick<Services, 'catalog' | 'clock' | 'baseUrl' | 'newId'>

/** Lists the passkeys with names and last uses, also those made for a former address of the service. */
export async function listPasskeys(services: Parts, context: RequestContext): Promise<Result<PasskeyData[]>> {
  const passkeys = await services.catalog.passkeys.listOf(personOfSession(context).id)
  return { data: passkeys.map((passkey) => toData(services, passkey)) }
}

/** Returns the options for a new passkey. Throws `conflict` if the person has too many. */
export async function beginPasskey(services: Parts, context: RequestContext): Promise<Result<PasskeyOptionsData>> {
  const { id, name } = personOfSession(context)
  const { rpId } = placeOf(services)
  const present = await services.catalog.passkeys.listOf(id)
  if (present.length >= MAX_PASSKEYS)
    throw new ServiceError('conflict', `You have ${MAX_PASSKEYS} passkeys: remove one that you no longer use.`)
  const exclude = present
    .filter((passkey) => passkey.rpId === rpId && passkey.loan === null)
    .map(({ credentialId }) => credentialId)
  const challenge = await makeChallenge(services, byOf(context))
  return { data: { challenge, rpId, user: { id, name }, exclude } }
}

/** Adds the passkey that answered the options. Throws `passkey_refused`, and `conflict` for one that is there already. */
export async function addPasskey(
  services: Parts,
  context: RequestContext,
  input: AddPasskeyBody,
): Promise<Result<PasskeyData>> {
  const { catalog, clock, newId } = services
  const person = personOfSession(context)
  const { rpId, origin } = placeOf(services)
  const challenge = await takeChallenge(services, byOf(context), input.clientDataJSON)
  const {
    algorithm,
    publicKey,
    counter,
    keeper = 'Passkey',
  } = await checkNewPasskey(input, { challenge, origin, rpId })
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
  await recordAudit(services, context, { action: 'passkey.add', target: `passkey ${passkey.id}` })
  return { data: toData(services, passkey), created: true, location: `/me/passkeys/${passkey.id}` }
}

/** Throws `passkey_not_found`. */
export async function renamePasskey(
  services: Parts,
  context: RequestContext,
  input: ResourceId & { name: string },
): Promise<Result<PasskeyData>> {
  const passkey = await findOwn(services, context, input.id)
  const name = parseLabel(input.name, 'name')
  if (!(await services.catalog.passkeys.rename(passkey.userId, passkey.id, name))) throw notFound()
  return { data: toData(services, { ...passkey, name }) }
}

/** Throws `passkey_not_found`. */
export async function removePasskey(
  services: Parts,
  context: RequestContext,
  input: ResourceId,
): Promise<Result<{ id: string }>> {
  const { id, userId } = await findOwn(services, context, input.id)
  if (!(await services.catalog.passkeys.remove(userId, id))) throw notFound()
  await recordAudit(services, context, { action: 'passkey.remove', target: `passkey ${id}` })
  return { data: { id } }
}

async function findOwn({ catalog }: Parts, context: RequestContext, id: string): Promise<Passkey> {
  const own = await catalog.passkeys.listOf(personOfSession(context).id)
  const passkey = own.find((one) => one.id === id.toLowerCase())
  if (passkey === undefined) throw notFound()
  return passkey
}

/** Binds a challenge to the session: no other session can finish what this one began. */
function byOf({ principal }: RequestContext): string {
  return `session ${principal.id}`
}

function notFound(): ServiceError {
  return new ServiceError('passkey_not_found', 'You have no such passkey: GET /me/passkeys lists yours.')
}

function toData(services: Parts, { id, name, rpId, createdAt, lastUsedAt, loan }: Passkey): PasskeyData {
  const works = rpId === placeOf(services).rpId
  return { id, name, host: rpId, works, isBorrowed: loan !== null, createdAt, lastUsedAt }
}
