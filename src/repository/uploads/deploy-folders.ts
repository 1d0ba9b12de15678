// Deploys that are open or were published lately. Each is a folder below `.uploads` with its manifest, `deploy.json`, and its uploaded
// packs. A folder survives a restart, and is removed when its time is over.

import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { dropTemporary } from '../../git/disk/drop-temporary.js'
import { syncDirectory, writeFileDurable } from '../../git/disk/durable.js'
import type { Gate } from '../../admission/gate.js'
import type { Oid } from '../../git/objects/oid.js'
import { entriesOfIndex } from '../../git/storage/pack-index.js'
import type { PackFiles } from '../../git/streams/pack-stream.js'
import { type Clock, toSeconds } from '../../model/clock.js'
import { isOfOtherMachine } from '../../model/machine-prefix.js'
import { toServiceError } from '../protocol/failure.js'
import { type Deploy, withFilesOnDisk } from './deploy.js'
import { UPLOADS_FOLDER } from './uploads.js'

interface Open {
  deploy: Deploy
  /** The time of the last upload to it or read from it, in seconds since the epoch. */
  usedAt: number
  /** The oids of the uploaded blobs. */
  received: Set<Oid>
  packs: PackFiles[]
  packCount: number
}

const MANIFEST = 'deploy.json'
const FOLDER_NAME = /^deploy-[0-9a-f-]{36}$/
/** The interval of looking for expired folders. */
const SWEEP_MS = 10 * 60_000

export class DeployFolders {
  readonly #folder: string
  readonly #clock: Clock
  readonly #machinePrefix: string
  readonly #turns: Pick<Gate, 'during'>
  readonly #open = new Map<string, Open>()
  /** The ids of each workspace's deploys. */
  readonly #ofWorkspace = new Map<string, Set<string>>()

  /** `turns`: the turns of each deploy. `machinePrefix`: the beginning of its deploys' ids, where machines share the data. */
  constructor(dataDir: string, clock: Clock, turns: Pick<Gate, 'during'>, machinePrefix = '') {
    this.#turns = turns
    this.#machinePrefix = machinePrefix
    this.#folder = join(dataDir, UPLOADS_FOLDER)
    this.#clock = clock
    mkdirSync(this.#folder, { recursive: true })
    for (const name of readdirSync(this.#folder)) if (FOLDER_NAME.test(name)) this.#load(name)
    setInterval(() => this.#sweep(), SWEEP_MS).unref()
  }

  /** Returns the id with the prefix of this machine, by which a proxy finds the one with the uploads. */
  marked(id: string): string {
    return this.#machinePrefix + id.slice(this.#machinePrefix.length)
  }

  /** Whether another machine made the id: only that one has the deploy. */
  isElsewhere(id: string): boolean {
    return isOfOtherMachine(id, this.#machinePrefix)
  }

  /** Creates the folder of a deploy; durable when it returns. Throws `storage_full`, `storage_failed`, and then leaves nothing. */
  create(deploy: Deploy): void {
    try {
      mkdirSync(this.folderOf(deploy.id))
      this.#write(deploy)
      syncDirectory(this.#folder)
    } catch (error) {
      rmSync(this.folderOf(deploy.id), { recursive: true, force: true })
      throw toServiceError(error)
    }
    this.#add({ deploy, usedAt: this.#now(), received: new Set(), packs: [], packCount: 0 })
  }

  /** Returns the deploy; undefined once its time is over. */
  find(id: string): Deploy | undefined {
    const open = this.#open.get(id)
    if (open === undefined) return undefined
    if (open.deploy.expiresAt > this.#now()) return open.deploy
    this.drop(id)
    return undefined
  }

  /** Returns the deploys of a workspace, the newest first. */
  list(workspaceId: string): Deploy[] {
    const all = [...(this.#ofWorkspace.get(workspaceId) ?? [])].flatMap((id) => this.find(id) ?? [])
    return all.toSorted((a, b) => b.createdAt - a.createdAt)
  }

  /** Returns the time of its last use, in seconds since the epoch. */
  lastUseOf(id: string): number {
    return this.#open.get(id)?.usedAt ?? 0
  }

  folderOf(id: string): string {
    return join(this.#folder, `deploy-${id}`)
  }

  received(id: string): ReadonlySet<Oid> {
    return this.#open.get(id)?.received ?? new Set()
  }

  packs(id: string): readonly PackFiles[] {
    return this.#open.get(id)?.packs ?? []
  }

  /** Returns a new, unique name for a pack in the deploy's folder. */
  newPackName(id: string): string {
    const open = this.#open.get(id)
    if (open !== undefined) open.usedAt = this.#now()
    return `pack-${process.pid}-${Date.now()}-${open === undefined ? 0 : open.packCount++}`
  }

  /** Adds a pack in the deploy's folder that contains these blobs; durable when it returns. */
  addPack(id: string, pack: PackFiles, oids: readonly Oid[]): void {
    syncDirectory(this.folderOf(id))
    const open = this.#open.get(id)
    open?.packs.push(pack)
    for (const oid of oids) open?.received.add(oid)
  }

  /** Records that the deploy is published to main or to `request`, until its time is over, and removes its uploads. */
  async publish(id: string, commit: string | null, request?: string): Promise<void> {
    const open = this.#open.get(id)
    if (open === undefined) return
    const published = { ...open.deploy, ...(request !== undefined && { request }), published: { commit } }
    this.#write(published)
    open.deploy = withFilesOnDisk(published, join(this.folderOf(id), MANIFEST))
    open.packs = []
    // The site has the blobs now.
    open.received = new Set()
    const uploads = readdirSync(this.folderOf(id)).filter((name) => name !== MANIFEST)
    await dropTemporary(...uploads.map((name) => join(this.folderOf(id), name)))
  }

  /** Does the work after all earlier work for the same deploy. Until it ends, the folder stays, even if the deploy is removed. */
  async inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    return await this.#turns.during(id, work)
  }

  /**
   * Forgets the deploy at once, and removes its folder in its turn. Throws `storage_failed` if the disk does not remove it: then the next
   * start finds it again.
   */
  async remove(id: string): Promise<void> {
    this.#forget(id)
    try {
      await this.inTurn(id, () => rm(this.folderOf(id), { recursive: true, force: true }))
    } catch (error) {
      throw toServiceError(error)
    }
  }

  /** Removes a deploy without waiting. */
  drop(id: string): void {
    this.remove(id).catch(() => undefined)
  }

  /** Removes all deploys of a site. */
  async removeOf(siteId: string): Promise<void> {
    for (const { deploy } of this.#open.values()) if (deploy.siteId === siteId) await this.remove(deploy.id)
  }

  #add(open: Open): void {
    const { id, workspaceId } = open.deploy
    this.#open.set(id, open)
    const ids = this.#ofWorkspace.get(workspaceId)
    if (ids === undefined) this.#ofWorkspace.set(workspaceId, new Set([id]))
    else ids.add(id)
  }

  #forget(id: string): void {
    const open = this.#open.get(id)
    if (open === undefined) return
    this.#open.delete(id)
    const { workspaceId } = open.deploy
    const ids = this.#ofWorkspace.get(workspaceId)
    ids?.delete(id)
    if (ids?.size === 0) this.#ofWorkspace.delete(workspaceId)
  }

  /** Loads a deploy. Removes it if its manifest is unreadable or its time is over, and removes all but finished packs of an open one. */
  #load(name: string): void {
    const folder = join(this.#folder, name)
    try {
      const deploy = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')) as Deploy
      if (deploy.expiresAt <= this.#now()) throw new Error('its time is over')
      const open: Open = { deploy, usedAt: this.#now(), received: new Set(), packs: [], packCount: 0 }
      const files = new Set(readdirSync(folder))
      files.delete(MANIFEST)
      for (const file of files) {
        const [, pack = ''] = /^(pack-.*)\.(?:pack|idx)$/.exec(file) ?? []
        const isFinished = files.has(`${pack}.pack`) && files.has(`${pack}.idx`)
        if (deploy.published !== undefined || !isFinished) rmSync(join(folder, file), { force: true })
        else if (file.endsWith('.pack')) this.#takePack(open, join(folder, pack))
      }
      if (deploy.published !== undefined) open.deploy = withFilesOnDisk(deploy, join(folder, MANIFEST))
      this.#add(open)
    } catch {
      rmSync(folder, { recursive: true, force: true })
    }
  }

  #takePack(open: Open, path: string): void {
    const index = readFileSync(`${path}.idx`)
    const id = index.toString('hex', index.length - 40, index.length - 20)
    for (const { oid } of entriesOfIndex(index)) open.received.add(oid)
    open.packs.push({ id, path, bytes: statSync(`${path}.pack`).size })
  }

  #write(deploy: Deploy): void {
    const path = join(this.folderOf(deploy.id), MANIFEST)
    rmSync(`${path}.new`, { force: true })
    writeFileDurable(`${path}.new`, Buffer.from(JSON.stringify(deploy)))
    renameSync(`${path}.new`, path)
    syncDirectory(this.folderOf(deploy.id))
  }

  #sweep(): void {
    for (const id of this.#open.keys()) this.find(id)
  }

  #now(): number {
    return toSeconds(this.#clock())
  }
}
