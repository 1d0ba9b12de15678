// A deploy as a client makes it, from the manifest to the commit: it goes on from wherever an earlier try was broken off.

import { type Folder, manifestOf, tarOf } from '../../scenarios/files/folder.js'
import type { ApiClient } from '../../scenarios/client.js'
import { inTime, type Sent } from '../ground/ground.js'

interface Deploy {
  id: string
  state: string
  missing: string[]
}

/** The first refusal, or the answer to its publication; each answer is awaited as `wait` says. */
export async function deployFolder(
  api: ApiClient,
  files: Folder,
  idempotencyKey: string,
  wait: <T>(answer: PromiseLike<T>) => PromiseLike<T> = inTime,
): Promise<Sent> {
  const opened = await wait(
    api
      .post('/deploys')
      .set('Idempotency-Key', idempotencyKey)
      .send({ files: manifestOf(files) }),
  )
  if (opened.status !== 201) return opened
  const { id, missing } = (opened.body as { data: Deploy }).data
  if (missing.length > 0) {
    const uploaded = await wait(api.post(`/deploys/${id}/blobs`).send(tarOf(files, missing)))
    if (uploaded.status !== 200) return uploaded
  }
  return await wait(api.post(`/deploys/${id}/publish`))
}
