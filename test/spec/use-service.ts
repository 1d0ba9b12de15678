// One service for a whole file of tests, and the requests that most of them make.

import type supertest from 'supertest'
import { startTestService, type TestService } from '../support/service.js'

export interface Page {
  id: string
  path: string
  url: string
  etag: string
  version: { id: string; number: number }
  [field: string]: unknown
}

/** Starts before the tests of the block and stops after them. */
export function useService(slug?: string): () => TestService {
  let service: TestService | undefined
  before(async () => {
    service = await startTestService(slug)
  })
  after(async () => {
    await service?.stop()
  })
  return () => {
    if (service === undefined) throw new Error('the service runs within tests only')
    return service
  }
}

let counter = 0

/** A path that no other test has. */
export function freshPath(): string {
  counter += 1
  return `/fresh-${counter}`
}

/** Publishes a page and answers its data. */
export async function publish(
  service: TestService,
  fields: { path?: string; html?: string; title?: string } = {},
): Promise<Page> {
  const body = { path: freshPath(), html: '<h1>One</h1>', ...fields }
  const answer = await service.api().post('/pages').send(body).expect(201)
  return dataOf<Page>(answer)
}

export function dataOf<T>(answer: supertest.Response): T {
  return (answer.body as { data: T }).data
}

export function codeOf(answer: supertest.Response): string {
  return (answer.body as { error: { code: string } }).error.code
}

/** A well-formed id that does not exist. */
export const UNKNOWN_ID = '11111111-1111-4111-8111-111111111111'
