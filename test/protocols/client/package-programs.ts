// Programs of users that the tests of the client's package compile and run, and the comparison of its types.

import { resolve } from 'node:path'

export const PROGRAM = `
import { createClient, dataOf, type ErrorCode, entriesOf, Refusal } from 'palimpsest-client'

export async function work(baseUrl: string, key: string, path = '/first'): Promise<string[]> {
  const client = createClient({ baseUrl, key })
  const made = dataOf(await client.POST('/pages', { body: { path, html: '<h1>Packed</h1>' } }))
  const seen: string[] = [made.path]
  const read = (slice: { cursor?: string }) => client.GET('/pages', { params: { query: { ...slice, limit: 1 } } })
  for await (const page of entriesOf(read)) seen.push(page.path)
  try {
    dataOf(await client.POST('/pages', { body: { path, html: 'again' } }))
  } catch (error) {
    if (error instanceof Refusal && error.code === 'page_exists') seen.push(error.code)
  }
  return seen
}

// @ts-expect-error -- no such code
export const code: ErrorCode = 'nothing'
// @ts-expect-error -- no such code of a refusal
export const isNothing = (refusal: Refusal) => refusal.code === 'nothing'
// Values of the environment may be missing.
export const ofEnvironment = (env: { [name: string]: string | undefined }) =>
  createClient({ baseUrl: '', key: env['KEY'], workspaceId: env['WORKSPACE'], siteId: env['SITE'] })
    .GET('/pages', { params: { header: { 'x-service-site-id': env['SITE'] } } })
// @ts-expect-error -- no such field
export const wrong = async () => dataOf(await createClient({ baseUrl: '' }).GET('/me')).nobody
// @ts-expect-error -- a path parameter left out
export const incomplete = () => createClient({ baseUrl: '' }).GET('/pages/{id}')
`

export const NODE_PROGRAM = `
import { createClient, deploy } from 'palimpsest-client'
import { readFolder } from 'palimpsest-client/node'

export async function publish(baseUrl: string, key: string, folder: string): Promise<number> {
  const { files } = await readFolder(folder)
  return (await deploy(createClient({ baseUrl, key }), files)).created
}
`

/** Both sides with every intersection and optional field spelt out: the check is for identity, not for being assignable. */
export const SAME_TYPES = `
import type * as Derived from '${resolve('dist/src/protocols/client/api-types.js')}'
import type * as Printed from '${resolve('dist/client-package/api-types.js')}'

type Flat<T> = T extends Blob ? 'bytes' : T extends object ? { [K in keyof T]: Flat<T[K]> } : T
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Differing = {
  [P in keyof Derived.Paths]: {
    [M in keyof Derived.Paths[P]]: P extends keyof Printed.Paths
      ? M extends keyof Printed.Paths[P]
        ? Same<Flat<Derived.Paths[P][M]>, Flat<Printed.Paths[P][M]>> extends true ? never : [P, M]
        : [P, M]
      : [P, M]
  }[keyof Derived.Paths[P]]
}[keyof Derived.Paths]

export const none: [Differing] extends [never] ? true : Differing = true
export const paths: Same<keyof Derived.Paths, keyof Printed.Paths> = true
export const codes: Same<Derived.ErrorCode, Printed.ErrorCode> = true
export const refusal: Same<Flat<Derived.ErrorBody>, Flat<Printed.ErrorBody>> = true
`
