// People for tests: members of the test service's workspace, signed in with a cookie as a browser has it.

import { randomUUID } from 'node:crypto'
import type supertest from 'supertest'
import type { Role } from '../../../src/model/rights/roles.js'
import { beginSession } from '../../../src/usecases/sign-in/sessions.js'
import type { TestService } from '../service.js'

export interface SignedIn {
  userId: string
  cookie: string
  /** Sends a request as the dashboard does: `send('get', '/members')`. The answer is held against OpenAPI. */
  send: (method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string) => supertest.Test
}

/** Makes a member with a role, given by hand, and signs the person in. */
export async function signInAs(
  service: TestService,
  role: Role,
  {
    name = role,
    sites = null,
    workspaceId = service.workspaceId,
  }: {
    name?: string
    sites?: readonly string[] | null
    workspaceId?: string
  } = {},
): Promise<SignedIn> {
  const { services } = service.server.service
  const userId = randomUUID()
  await services.catalog.users.create({ id: userId, name, createdAt: new Date().toISOString().replace(/\.\d+/, '') })
  await services.catalog.members.give({ workspaceId, userId, role, sites, source: 'hand' })
  return await signInAgain(service, userId, workspaceId)
}

/** Signs a person in with another session. */
export async function signInAgain(
  service: TestService,
  userId: string,
  workspaceId = service.workspaceId,
): Promise<SignedIn> {
  const { secret } = await beginSession(service.server.service.services, { userId, workspaceId, means: 'link' })
  const cookie = `session=${secret}`
  return {
    userId,
    cookie,
    send: (method, path) => service.api('')[method](path).set({ Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' }),
  }
}
