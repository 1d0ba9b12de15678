// The serving thread's side of the thread that checks objects.

import { ThreadClient } from '../../threads/client.js'
import { ENTRIES } from '../../threads/entries.js'
import type { CheckerProtocol, ObjectsFound, ObjectsRequest } from './checker-thread.js'
import type { Part } from './served-objects.js'

export class Checker {
  readonly #client = new ThreadClient<CheckerProtocol>({
    entry: ENTRIES.checkerThread,
    lost: (cause) => new Error('the checker thread ended', { cause }),
    // Nothing that it finds is a reason to keep the process alive.
    keepsAlive: false,
  })

  /** The next part of what the repository serves, from the start unless the part before was of it too. */
  checkPart(gitdir: string): Promise<Part> {
    return this.#client.ask({ gitdir }) as Promise<Part>
  }

  /** Which of the objects are damaged still, and where main is now. */
  checkObjects(request: ObjectsRequest): Promise<ObjectsFound> {
    return this.#client.ask(request) as Promise<ObjectsFound>
  }

  close(): Promise<void> {
    return this.#client.close(new Error('the checker is closed'))
  }
}
