// Receives blobs that a deploy lacks: one, or many in a tar. The answer means that they are durable.

import { join } from 'node:path'
import type { ReceivedData } from '../../../schemas/deploys.js'
import type { Oid } from '../../git/objects/oid.js'
import { type PackFiles, PackStream, removePack, STORED_ABOVE_BYTES, WrongBlob } from '../../git/streams/pack-stream.js'
import type { ByteSource } from '../../model/bytes.js'
import { ServiceError } from '../../model/errors.js'
import { toServiceError } from '../../repository/protocol/failure.js'
import type { Deploy } from '../../repository/uploads/deploy.js'
import type { BlobToPack } from '../../repository/uploads/blob-thread.js'
import type { Call, Finding } from '../context/call.js'
import type { Result } from '../context/result.js'
import { refuseEnded } from '../context/write-site.js'
import { findDeploy, missingOf } from './find-deploy.js'
import { readTar } from './tar.js'

/** File formats that are compressed already: deflating them again saves nothing. */
const COMPRESSED = /\.(?:png|jpe?g|gif|webp|avif|woff2?|mp[34]|m4[av]|webm|og[gv]|zip|gz|br|zst|7z|pdf)$/i

/** Receives one blob. Its bytes must be those of the oid, which the manifest names. */
export async function putBlob(
  call: Call<Finding | 'deploys' | 'uploads'>,
  { id, oid, bytes }: { id: string; oid: string; bytes: ByteSource },
): Promise<Result<ReceivedData>> {
  const { deploy } = openDeploy(call, id)
  return await receive(call, deploy, bytes.size, async (wanted, at) => {
    const size = wanted.get(oid)
    if (size === undefined) throw notWanted(oid)
    if (size > STORED_ABOVE_BYTES) {
      const { pack } = await call.uploads.pack({ ...at, size, oid }, bytes.chunks)
      return { pack, oids: [oid] }
    }
    const isDeflated = compressedOids(deploy).has(oid)
    return await writePack(at, async (pack) => void (await pack.add(bytes.chunks, size, { oid, isDeflated })))
  })
}

/** Receives a tar of regular files, each named by the oid of its bytes. All of them are taken, or none. */
export async function putBlobs(
  call: Call<Finding | 'deploys' | 'uploads'>,
  { id, bytes }: { id: string; bytes: ByteSource },
): Promise<Result<ReceivedData>> {
  const { deploy } = openDeploy(call, id)
  const compressed = compressedOids(deploy)
  return await receive(call, deploy, bytes.size, (wanted, at) =>
    writePack(at, async (pack) => {
      for await (const { name, size, chunks } of readTar(bytes.chunks)) {
        const known = wanted.get(name)
        if (known === undefined) throw notWanted(name)
        if (known !== size) throw wrongSize(name, known)
        if (pack.has(name)) for await (const _ of chunks);
        else await pack.add(chunks, size, { oid: name, isDeflated: compressed.has(name) })
      }
    }),
  )
}

/** Throws `deploy_not_found`, and `conflict` for a published deploy. */
function openDeploy(call: Call<'catalog' | 'deploys'>, id: string): ReturnType<typeof findDeploy> {
  const found = findDeploy(call, id)
  if (found.deploy.published === undefined) return found
  throw new ServiceError('conflict', 'This deploy is published already: make a new one.')
}

/** The folder and name of a new pack. */
type PackPlace = Pick<BlobToPack, 'folder' | 'name'>
type Take = (wanted: ReadonlyMap<string, number>, at: PackPlace) => Promise<{ pack: PackFiles; oids: Oid[] }>

async function receive(
  asked: Call<Finding | 'deploys' | 'uploads'>,
  deploy: Deploy,
  bytes: number | undefined,
  take: Take,
): Promise<Result<ReceivedData>> {
  const call = { ...asked, site: openDeploy(asked, deploy.id).site }
  const { deploys, uploads } = call
  uploads.checkSpace(bytes ?? 0)
  const wanted = new Map(deploy.files.map(([, oid, size]) => [oid, size]))
  let received: string[] = []
  try {
    const at = { folder: deploys.folderOf(deploy.id), name: deploys.newPackName(deploy.id) }
    const { pack, oids } = await take(wanted, at)
    const known = deploys.received(deploy.id)
    received = oids.filter((oid) => !known.has(oid))
    const isPublished = deploys.find(deploy.id)?.published !== undefined
    await refuseEnded(call).catch(async (error: unknown) => {
      await removePack(pack.path)
      throw error
    })
    if (received.length === 0 || isPublished) await removePack(pack.path)
    else deploys.addPack(deploy.id, pack, received)
  } catch (error) {
    // The deploy may have been deleted or published meanwhile.
    openDeploy(call, deploy.id)
    throw error instanceof WrongBlob ? wrongBlob(error) : toServiceError(error)
  }
  openDeploy(call, deploy.id)
  const missing = await missingOf(call, deploy)
  return { data: { received: received.length, missing: missing.length } }
}

/** Makes a durable pack of what `add` adds; leaves nothing of it if that fails. */
async function writePack(
  { folder, name }: PackPlace,
  add: (stream: PackStream) => Promise<void>,
): Promise<{ pack: PackFiles; oids: Oid[] }> {
  const stream = await PackStream.create(join(folder, name))
  try {
    await add(stream)
    return { pack: await stream.finish(), oids: stream.oids }
  } catch (error) {
    await stream.discard()
    throw error
  }
}

function compressedOids({ files }: Deploy): Set<string> {
  return new Set(files.filter(([path]) => COMPRESSED.test(path)).map(([, oid]) => oid))
}

function notWanted(name: string): ServiceError {
  return new ServiceError('invalid_body', `"${name.slice(0, 100)}" is not the oid of a file in the manifest.`)
}

function wrongSize(oid: string, size: number): ServiceError {
  return new ServiceError('invalid_body', `The bytes of ${oid} must be ${size}, as the manifest says.`)
}

function wrongBlob({ reason }: WrongBlob): ServiceError {
  const what = reason === 'size' ? 'the size in the manifest' : 'the oid'
  return new ServiceError('invalid_body', `The bytes do not match ${what}: send the file again.`)
}
