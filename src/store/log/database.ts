// Statements to the database of the logs. What an error says is told apart here: the server refused a statement, or nobody knows.

import { DatabaseUnfit } from '../../postgres/database-errors.js'
import type { Connections, Session } from '../../postgres/connections.js'

/** A statement that takes longer loses its connection. */
const DEADLINE_MS = 3000

/** The server did not say what became of a statement: it may have been done, and may yet be. */
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

  /** A statement with a name is parsed once for each connection. Throws OutcomeNotHeard, and what the server refused it for. */
  query: Query = async (text, values, name) =>
    await heard(this.#connections.use((session) => ask(session, text, values, name), this.#deadlineMs))

  /** The same for a statement that writes. Throws WritesUnsafe too. */
  write: Query = async (text, values, name) => await this.writeOnOneConnection((query) => query(text, values, name))

  /** Statements one after the other, of which some write. Throws as `write` does. */
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
 * Whether a statement was surely not done. Of class 57, an operator's intervention, the server does not say so: one that is stopped ends
 * commits which wait for their standby, and has made them.
 */
function wasRefused(error: unknown): boolean {
  if (error instanceof DatabaseUnfit) return true
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^(?:08|57|58|XX)/.test(code)
}
