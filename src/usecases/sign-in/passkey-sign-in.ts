// Signs in with a passkey, without a name: the passkey itself says whose it is. The same answer proves again who a signed-in person is.

import type { PasskeyAnswer } from '../../../schemas/account.js'
import type { PasskeyQuestionData } from '../../../schemas/sign-in.js'
import type { Passkey } from '../../catalog/people/passkeys.js'
import { ServiceError } from '../../model/errors.js'
import { mintSecret } from '../../model/key-format.js'
import type { Principal } from '../../model/principal.js'
import { isStillLent } from '../access/loans.js'
import { beginSession, type NewSession, type Proof, type SessionParts } from './sessions.js'
import type { Services } from '../context/services.js'
import { challengeIn, checkAnswer } from './passkey-check.js'

/** A person may first have to look for a security key. */
const CHALLENGE_SECONDS = 5 * 60

type Parts = Pick<Services, 'catalog' | 'clock' | 'baseUrl'>

/** Told about passkeys of before: today a session that an owner lent adds none. */
const LENT =
  'This passkey may have been added by way of a link that an owner made, so it proves nothing: sign in another way, and add a new one.'

/** Returns the host that passkeys are for (`rp.id`), and the origin of the pages that use them. */
export function placeOf({ baseUrl }: Pick<Services, 'baseUrl'>): { rpId: string; origin: string } {
  const { hostname, origin } = new URL(baseUrl)
  return { rpId: hostname, origin }
}

/** Makes a challenge that only the holder of `by`, a browser or a session, can answer, once. A session is asked from nowhere. */
export async function makeChallenge({ catalog }: Parts, by: string, askedFrom: string | null = null): Promise<string> {
  const challenge = mintSecret()
  await catalog.pendingSignIns.ask(bound(by, challenge), { seconds: CHALLENGE_SECONDS, askedFrom })
  return challenge
}

/** Uses up the challenge that an answer names, and returns it. Throws `passkey_refused` if `by` was not asked it, or not lately. */
export async function takeChallenge({ catalog }: Parts, by: string, clientDataJSON: string): Promise<string> {
  const challenge = challengeIn(clientDataJSON)
  if (await catalog.pendingSignIns.answer(bound(by, challenge))) return challenge
  throw refused('This question to your passkey is over: try again.')
}

/** Asks whichever passkey the browser has. `askedFrom` is the network of its address. */
export async function askPasskey(parts: Parts, browser: string, askedFrom: string): Promise<PasskeyQuestionData> {
  const { rpId } = placeOf(parts)
  const formerHosts = await parts.catalog.passkeys.formerHosts(rpId)
  return { challenge: await makeChallenge(parts, browser, askedFrom), rpId, formerHosts }
}

/** Begins a session of the person whose passkey answered. Throws `passkey_refused`. */
export async function signInWithPasskey(
  parts: Parts & SessionParts,
  answer: PasskeyAnswer,
  { browser, before, ...from }: { browser: string; before: string | undefined } & Pick<Proof, 'device' | 'address'>,
): Promise<NewSession> {
  const { userId, loan } = await findAnswering(parts, answer, browser)
  const { members } = parts.catalog
  if (loan !== null && !isStillLent(parts.catalog, loan)) throw refused(LENT)
  const workspaceId = members.workspacesOf(userId).find((id) => loan === null || id === loan.workspaceId)
  if (workspaceId === undefined) throw refused('You are no longer a member here: ask an owner for an invitation.')
  return await beginSession(parts, { userId, workspaceId, means: 'passkey', loan, ...from }, before)
}

/** Notes that the person of the session proved again who they are. Throws `passkey_refused`, also for a passkey of another person, or a lent one. */
export async function proveWithPasskey(
  parts: Parts,
  principal: Principal | undefined,
  answer: PasskeyAnswer,
  browser: string,
): Promise<void> {
  const { userId, loan } = await findAnswering(parts, answer, browser)
  if (principal === undefined || userId !== principal.person?.id)
    throw refused('This is the passkey of another person: use one of your own.')
  if (loan !== null) throw refused(LENT)
  await parts.catalog.sessions.prove(principal.id)
}

/** Returns the passkey that answered rightly. */
async function findAnswering(parts: Parts, answer: PasskeyAnswer, browser: string): Promise<Passkey> {
  const { passkeys } = parts.catalog
  const challenge = await takeChallenge(parts, browser, answer.clientDataJSON)
  const passkey = await passkeys.findByCredential(answer.credentialId)
  if (passkey === undefined)
    throw refused('This passkey is not known here, or was removed: sign in another way, and add it anew.')
  const place = placeOf(parts)
  if (passkey.rpId !== place.rpId)
    throw refused(`This passkey was made for ${passkey.rpId}: sign in another way, and add a new one.`)
  const counter = checkAnswer(answer, passkey, { challenge, ...place })
  if (Buffer.from(answer.userHandle, 'base64url').toString() !== passkey.userId)
    throw refused('This passkey names another person: sign in another way.')
  if (await passkeys.use(passkey.id, counter)) return passkey
  await recordCopy(parts, passkey, counter)
  throw refused('This passkey may have been copied: its count of uses went back. Sign in another way, and remove it.')
}

/** Tells all workspaces of the person that somebody may have a copy of the passkey. */
async function recordCopy({ catalog }: Parts, { id, userId, counter }: Passkey, answered: number): Promise<void> {
  // A chain of entries grows one by one.
  // oxlint-disable-next-line no-await-in-loop
  for (const workspaceId of catalog.members.workspacesOf(userId))
    await catalog.audit.record({
      workspaceId,
      actor: { kind: 'nobody', id: '' },
      action: 'passkey.refuse',
      target: `passkey ${id}`,
      details: { userId, counter, answered },
    })
}

function bound(by: string, challenge: string): string {
  return `${by}\n${challenge}`
}

function refused(message: string): ServiceError {
  return new ServiceError('passkey_refused', message)
}
