// Deploys that are open or were published lately: each is a folder below `.uploads` with its manifest, `deploy.json`, and the packs
// that were uploaded for it. A folder outlives a restart and goes when its time is over.

import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncDirectory, writeFileDurable } from '../../git/disk/durable.js'
import type { Oid } from '../../git/objects/oid.js'
import { entriesOfIndex } from '../../git/storage/pack-index.js'
import type { PackFiles } from '../../git/streams/pack-stream.js'
import { type Clock, toSeconds } from '../../model/clock.js'
import { UPLOADS_FOLDER } from './uploads.js'

export type DeployMode = 'merge' | 'replace'

export interface Deploy {
  id: string
  workspaceId: string
  siteId: string
  mode: DeployMode
  message: string | null
  /** The commit that must be the head when it is published. */
  ifHead: string | null
  /** Tree paths, each with the oid and the size of its bytes. */
  files: readonly (readonly [path: string, oid: Oid, size: number])[]
  /** Seconds since the epoch. */
  createdAt: number
  expiresAt: number
  /** The commit that published it, null where nothing differed; undefined while it is open. */
  published?: { commit: string | null }
}

interface Open {
  deploy: Deploy
  /** The oids that were uploaded. */
  received: Set<Oid>
  packs: PackFiles[]
  packCount: number
}

const MANIFEST = 'deploy.json'
const FOLDER_NAME = /^deploy-[0-9a-f-]{36}$/
/** How often a folder whose time is over is looked for. */
const SWEEP_MS = 10 * 60_000

export class DeployFolders {
  readonly #folder: string
  readonly #clock: Clock
  readonly #open = new Map<string, Open>()

  constructor(dataDir: string, clock: Clock) {
    this.#folder = join(dataDir, UPLOADS_FOLDER)
    this.#clock = clock
    mkdirSync(this.#folder, { recursive: true })
    for (const name of readdirSync(this.#folder)) if (FOLDER_NAME.test(name)) this.#load(name)
    setInterval(() => this.#sweep(), SWEEP_MS).unref()
  }

  /** Durable when it returns. */
  create(deploy: Deploy): void {
    mkdirSync(this.folderOf(deploy.id))
    this.#write(deploy)
    syncDirectory(this.#folder)
    this.#open.set(deploy.id, { deploy, received: new Set(), packs: [], packCount: 0 })
  }

  /** Undefined once its time is over. */
  find(id: string): Deploy | undefined {
    const open = this.#open.get(id)
    if (open === undefined) return undefined
    if (open.deploy.expiresAt > this.#now()) return open.deploy
    void this.remove(id)
    return undefined
  }

  /** Those of a workspace, the newest first. */
  list(workspaceId: string): Deploy[] {
    const all = [...this.#open.keys()].flatMap((id) => this.find(id) ?? [])
    return all.filter((deploy) => deploy.workspaceId === workspaceId).toSorted((a, b) => b.createdAt - a.createdAt)
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

  /** A name for a pack in the deploy's folder; never the same twice. */
  newPackName(id: string): string {
    const open = this.#open.get(id)
    return `pack-${process.pid}-${Date.now()}-${open === undefined ? 0 : open.packCount++}`
  }

  /** The pack, which lies in the deploy's folder, holds these blobs; durable when it returns. */
  addPack(id: string, pack: PackFiles, oids: readonly Oid[]): void {
    syncDirectory(this.folderOf(id))
    const open = this.#open.get(id)
    open?.packs.push(pack)
    for (const oid of oids) open?.received.add(oid)
  }

  /** Remembers that it is published until its time is over; what was uploaded goes. */
  async publish(id: string, commit: string | null): Promise<void> {
    const open = this.#open.get(id)
    if (open === undefined) return
    open.deploy = { ...open.deploy, published: { commit } }
    this.#write(open.deploy)
    open.packs = []
    for (const name of readdirSync(this.folderOf(id)))
      if (name !== MANIFEST) await rm(join(this.folderOf(id), name), { force: true })
  }

  async remove(id: string): Promise<void> {
    this.#open.delete(id)
    await rm(this.folderOf(id), { recursive: true, force: true })
  }

  /** One whose manifest cannot be read, and whose time is over, goes; so does a pack that was not finished. */
  #load(name: string): void {
    const folder = join(this.#folder, name)
    try {
      const deploy = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')) as Deploy
      if (deploy.expiresAt <= this.#now()) throw new Error('its time is over')
      const open: Open = { deploy, received: new Set(), packs: [], packCount: 0 }
      const files = new Set(readdirSync(folder))
      for (const file of files) {
        if (!file.endsWith('.pack')) continue
        const path = join(folder, file.slice(0, -'.pack'.length))
        if (file.startsWith('pack-') && files.has(file.replace(/pack$/, 'idx'))) this.#takePack(open, path)
        else rmSync(`${path}.pack`, { force: true })
      }
      this.#open.set(deploy.id, open)
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
