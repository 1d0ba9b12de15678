// A node as the fault program sees it: a process that is asked, killed and started again on the same data directory.

import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SiteRef } from '../../../src/store/protocol/write.js'
import type { NodeAnswer, NodeRequest } from './node-process.js'

const ENTRY = new URL('node-process.js', import.meta.url)

type Asked = NodeRequest extends infer R ? (R extends NodeRequest ? Omit<R, 'id'> : never) : never

export class FaultNode {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-node-'))
  readonly #databaseUrl: string
  readonly #sites: SiteRef[]
  readonly #waiting = new Map<number, { resolve: (commit: string) => void; reject: (error: Error) => void }>()
  #process: ChildProcess | undefined
  #lastId = 0

  constructor(databaseUrl: string, sites: SiteRef[]) {
    this.#databaseUrl = databaseUrl
    this.#sites = sites
  }

  /** Resolves once it answers. */
  async start(): Promise<void> {
    const settings = { dataDir: this.dataDir, databaseUrl: this.#databaseUrl, sites: this.#sites }
    const child = fork(ENTRY, [JSON.stringify(settings)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    this.#process = child
    const ready = this.#wait(0)
    child.on('message', (answer: NodeAnswer) => {
      const waiting = this.#waiting.get(answer.id)
      this.#waiting.delete(answer.id)
      if ('commit' in answer) waiting?.resolve(answer.commit)
      else waiting?.reject(new Error(answer.refusal))
    })
    child.on('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the node is gone'))
      this.#waiting.clear()
      this.#process = undefined
    })
    await ready
  }

  /** The commit of a publish, or the head that a read saw. Rejects where the node refuses, or ends before it answers. */
  async ask(request: Asked): Promise<string> {
    if (this.#process === undefined) throw new Error('the node is gone')
    const id = ++this.#lastId
    const answer = this.#wait(id)
    this.#process.send({ ...request, id })
    return await answer
  }

  async kill(): Promise<void> {
    const child = this.#process
    if (child === undefined) return
    const isGone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await isGone
  }

  gitdir(site: SiteRef): string {
    return join(this.dataDir, `${site.slug}.git`)
  }

  /** Takes all that it holds on its disk. */
  wipe(): void {
    for (const site of this.#sites) rmSync(this.gitdir(site), { recursive: true, force: true })
  }

  async remove(): Promise<void> {
    await this.kill()
    rmSync(this.dataDir, { recursive: true, force: true })
  }

  #wait(id: number): Promise<string> {
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
  }
}
