import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import type { PasskeyAnswer } from '../../../schemas/account.js'
import { checkAnswer, checkNewPasskey, type NewCredential } from '../../../src/usecases/sign-in/passkey-check.js'
import {
  type Circumstances,
  SoftPasskey,
  toStandardAnswer,
  toStandardRegistration,
} from '../../support/people/soft-passkey.js'

const HERE = { origin: 'https://pages.example', rpId: 'pages.example' }

/** Circumstances of an answer, and whether it is right. */
const CASES: readonly (readonly [string, Partial<Circumstances>, boolean])[] = [
  ['a right answer', {}, true],
  ['one with a count', { counter: 7 }, true],
  ['one of another origin', { origin: 'https://pages.example.evil.example' }, false],
  ['one of another port', { origin: 'https://pages.example:8443' }, false],
  ['one of http', { origin: 'http://pages.example' }, false],
  ['one for another host', { rpId: 'evil.example' }, false],
  ['one without a verified person', { flags: 1 }, false],
  ['one without a person', { flags: 4 }, false],
  ['one of the other type', { type: 'payment.get' }, false],
]

describe('the check of passkeys', () => {
  const userId = randomUUID()
  const fresh = () => randomBytes(32).toString('base64url')

  const register = async (passkey: SoftPasskey, circumstances: Partial<Circumstances> = {}) => {
    const challenge = fresh()
    const body = passkey.register(challenge, { ...HERE, ...circumstances })
    const ours = await settled(() => checkNewPasskey(body, { challenge, ...HERE }))
    const judge = await settled(() =>
      verifyRegistrationResponse({
        response: toStandardRegistration(body),
        expectedChallenge: challenge,
        expectedOrigin: HERE.origin,
        expectedRPID: HERE.rpId,
        requireUserVerification: true,
      }),
    )
    return { ours, judge: judge?.verified === true ? judge.registrationInfo?.credential : undefined, body }
  }

  for (const algorithm of [-7, -257] as const) {
    describe(`for the algorithm ${algorithm}`, () => {
      const passkey = new SoftPasskey(algorithm)
      let made: Awaited<ReturnType<typeof register>>
      before(async () => {
        made = await register(passkey)
      })

      const answerWith = async (answer: PasskeyAnswer, challenge: string) => {
        const { ours, judge, body } = made
        assert.ok(ours && judge)
        const known = { ...KNOWN, ...ours, userId, credentialId: body.credentialId }
        const count = await settled(() => checkAnswer(answer, known, { challenge, ...HERE }))
        const verdict = await settled(() =>
          verifyAuthenticationResponse({
            response: toStandardAnswer(answer),
            expectedChallenge: challenge,
            expectedOrigin: HERE.origin,
            expectedRPID: HERE.rpId,
            credential: judge,
            requireUserVerification: true,
          }),
        )
        return [count !== undefined, verdict?.verified === true] as const
      }

      for (const [what, circumstances, isRight] of CASES) {
        it(`judges ${what} as another judge does: as ${isRight ? 'right' : 'wrong'}`, async () => {
          const { ours, judge } = await register(new SoftPasskey(algorithm), circumstances)
          assert.deepEqual([ours !== undefined, judge !== undefined], [isRight, isRight], 'new')
          const challenge = fresh()
          const answer = passkey.answer(challenge, userId, { ...HERE, ...circumstances })
          assert.deepEqual(await answerWith(answer, challenge), [isRight, isRight], 'answer')
        })
      }

      it('takes right signatures, also those whose numbers are short', async () => {
        const challenge = fresh()
        const answers: PasskeyAnswer[] = []
        while (answers.length < 5) {
          const answer = passkey.answer(challenge, userId, HERE)
          if (algorithm === -257 || isShort(answer)) answers.push(answer)
        }
        for (const answer of answers) assert.deepEqual(await answerWith(answer, challenge), [true, true])
      })

      it('judges changed answers as another judge does', async () => {
        const challenge = fresh()
        const answer = passkey.answer(challenge, userId, HERE)
        const other = passkey.answer(fresh(), userId, HERE)
        const changes: readonly Partial<PasskeyAnswer>[] = [
          { signature: other.signature },
          { signature: 'AAAA' },
          { signature: `${answer.signature.slice(0, -8)}AAAAAAAA` },
          { authenticatorData: passkey.answer(challenge, userId, { ...HERE, counter: 3 }).authenticatorData },
          { clientDataJSON: other.clientDataJSON },
          { clientDataJSON: 'e30' },
          { clientDataJSON: 'AAAA' },
          { authenticatorData: 'AAAA' },
        ]
        for (const change of changes)
          assert.deepEqual(
            await answerWith({ ...answer, ...change }, challenge),
            [false, false],
            JSON.stringify(change),
          )
      })

      it('refuses a new passkey whose parts do not belong together', async () => {
        const challenge = fresh()
        const body = passkey.register(challenge, HERE)
        const other = new SoftPasskey(algorithm).register(challenge, HERE)
        for (const change of [
          { credentialId: other.credentialId },
          { clientDataJSON: passkey.register(fresh(), HERE).clientDataJSON },
          { publicKey: other.publicKey },
          { publicKey: 'AAAA' },
          { authenticatorData: body.authenticatorData.slice(0, 60) },
          { algorithm: algorithm === -7 ? (-257 as const) : (-7 as const) },
        ])
          assert.equal(await settled(() => checkNewPasskey({ ...body, ...change }, { challenge, ...HERE })), undefined)
      })
    })
  }
})

/** Whether one of the two numbers of a signature has fewer than 32 bytes. */
function isShort({ signature }: PasskeyAnswer): boolean {
  const der = Buffer.from(signature, 'base64url')
  const [first = 0] = der.subarray(3)
  const [second = 0] = der.subarray(5 + first)
  return Math.min(first, second) < 32
}

const KNOWN = { id: randomUUID(), counter: 0, rpId: HERE.rpId, name: 'x', createdAt: '', lastUsedAt: null, loan: null }

/** Returns the result of a check; undefined if it refuses. */
async function settled<T extends NewCredential | number | { verified: boolean }>(
  check: () => T | Promise<T>,
): Promise<T | undefined> {
  try {
    return await check()
  } catch {
    return undefined
  }
}
