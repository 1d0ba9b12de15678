// Runs the helper processes of a bench. Each answers one message at a time.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export class HelperProcess<Sent extends object> {
  readonly #child: ChildProcess
  readonly #ended: Promise<unknown>

  /** `name`: a module of this folder. */
  constructor(name: 'attacker' | 'neighbour' | 'burner', ...args: string[]) {
    this.#child = fork(fileURLToPath(new URL(`./${name}.js`, import.meta.url)), args, { serialization: 'advanced' })
    this.#ended = once(this.#child, 'exit')
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  async ask<T>(message: Sent): Promise<T> {
    this.#child.send(message)
    const ended = this.#ended.then(() => [{ failed: 'the process ended' }])
    const [answer] = (await Promise.race([once(this.#child, 'message'), ended])) as [T | { failed: string }]
    if (typeof answer === 'object' && answer !== null && 'failed' in answer) throw new Error(answer.failed)
    return answer
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#child.kill('SIGKILL')
    await this.#ended
  }
}
