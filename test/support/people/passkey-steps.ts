// The steps of a browser that adds a passkey and signs in with it, as requests.

import assert from 'node:assert/strict'
import supertest from 'supertest'
import type { PasskeyAnswer } from '../../../schemas/account.js'
import { assertDocumented } from '../contract.js'
import type { TestService } from '../service.js'
import type { SignedIn } from './sign-in-as.js'
import { type Circumstances, SoftPasskey } from './soft-passkey.js'

/** The page of the dashboard, as it is at the test service. */
export function placeOf(service: TestService): Circumstances {
  return { origin: `http://localhost:${service.server.port}`, rpId: 'localhost' }
}

/** Adds a new passkey to the account. */
export async function addPasskey(
  service: TestService,
  person: SignedIn,
  passkey = new SoftPasskey(),
): Promise<SoftPasskey> {
  const options = await person.send('post', '/me/passkeys/options').expect(200)
  const { attestationObject: _, ...body } = passkey.register(options.body.data.challenge, placeOf(service))
  await person.send('post', '/me/passkeys').send(body).expect(201)
  return passkey
}

/** A browser with its cookies. Its answers are held against OpenAPI. */
export class SoftBrowser {
  readonly #service: TestService
  readonly #cookies = new Map<string, string>()

  constructor(service: TestService, cookie = '') {
    this.#service = service
    this.#keep([cookie])
  }

  get cookie(): string {
    return Array.from(this.#cookies, ([name, value]) => `${name}=${value}`).join('; ')
  }

  /** Asks for a challenge. */
  async ask(): Promise<string> {
    const answer = await this.send('post', '/session/passkey/options').expect(200)
    return (answer.body as { data: { challenge: string } }).data.challenge
  }

  /** Signs in, or proves who it is, with the answer of a passkey. */
  async answer(answer: PasskeyAnswer, path = '/session/passkey'): Promise<supertest.Response> {
    return await this.send('post', path).send(answer)
  }

  /** Signs in by all steps. */
  async signIn(
    passkey: SoftPasskey,
    userId: string,
    circumstances: Partial<Circumstances> = {},
  ): Promise<supertest.Response> {
    const answer = passkey.answer(await this.ask(), userId, { ...placeOf(this.#service), ...circumstances })
    return await this.answer(answer)
  }

  send(method: 'get' | 'post' | 'delete', path: string): supertest.Test {
    const request = supertest(this.#service.origin)[method](path)
    request.set({ 'Sec-Fetch-Site': 'same-origin', 'User-Agent': 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0' })
    if (this.cookie !== '') request.set('Cookie', this.cookie)
    return request.expect((answer: supertest.Response) => {
      assertDocumented(method, path, answer)
      this.#keep(answer.get('Set-Cookie') ?? [])
    })
  }

  #keep(cookies: readonly string[]): void {
    for (const cookie of cookies) {
      const [, name, value] = /^([^=;]+)=([^;]*)/.exec(cookie) ?? []
      if (name !== undefined && value !== undefined) this.#cookies.set(name, value)
    }
  }
}

/** Asserts a refusal with a sentence, and never a failure of the service. */
export function assertRefused(answer: supertest.Response, code: string, message: RegExp): void {
  const { error } = answer.body as { error?: { code: string; message: string } }
  assert.ok(answer.status >= 400 && answer.status < 500, `${answer.status}`)
  assert.equal(error?.code, code, answer.text)
  assert.match(error?.message ?? '', message)
}
