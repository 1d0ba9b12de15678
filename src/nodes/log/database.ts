// Runs statements in the database of the logs. Tells apart a statement that the server refused and one with an unknown outcome.

import { DatabaseUnfit } from '../postgres/database-errors.js'
import type { Connections, Session } from '../postgres/connections.js'

/** A statement that takes longer loses its connection. */
const DEADLINE_MS = 3000

/** The server did not report the outcome of a statement: it may have been done, or may still be. */
export class OutcomeNotHeard extends Error {
  constructor(cause: unknown) {
    super('PostgreSQL did not say what became of a statement', { cause })
    this.name = 'OutcomeNotHeard'
  }
}

export type Query = <T extends object>(text: string, values: unknown[], name?: string) => Promise<T[]>

export class Database {
  readonly #connections: Connections
  readonly #deadlineMs: number

  constructor(connections: Connections, deadlineMs = DEADLINE_MS) {
    this.#connections = connections
    this.#deadlineMs = deadlineMs
  }

  /** Runs a statement. One with a name is parsed once per connection. Throws OutcomeNotHeard, or the server's reason for refusing it. */
  query: Query = async (text, values, name) =>
    await heard(this.#connections.use((session) => ask(session, text, values, name), this.#deadlineMs))

  /** Runs a statement that writes. Throws as `query` does, and WritesUnsafe. */
  write: Query = async (text, values, name) => await this.writeOnOneConnection((query) => query(text, values, name))

  /** Runs several statements, some of which write, on one connection. Throws as `write` does. */
  async writeOnOneConnection<T>(work: (query: Query) => Promise<T>): Promise<T> {
    const withSession = (session: Session) => work((text, values, name) => ask(session, text, values, name))
    return await heard(this.#connections.write(withSession, this.#deadlineMs))
  }
}

async function ask<T extends object>(session: Session, text: string, values: unknown[], name?: string): Promise<T[]> {
  return (await session.query<T>({ text, values, ...(name !== undefined && { name }) })).rows
}

async function heard<T>(statements: Promise<T>): Promise<T> {
  return await statements.catch((error: unknown) => {
    throw wasRefused(error) ? error : new OutcomeNotHeard(error)
  })
}

/**
 * Whether a statement was surely not done. Errors of class 57, operator intervention, do not say so: a stopping server ends commits
 * that wait for their standby, and has made them.
 */
function wasRefused(error: unknown): boolean {
  if (error instanceof DatabaseUnfit) return true
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^(?:08|57|58|XX)/.test(code)
}
