// The beat: the row that a node writes to show that it lives. The trust in the primary rests on its commit. Its answer describes
// the primary and the other nodes.

import { TIMELINE } from './postgres/connect.js'
import { STANDBYS, type Standbys } from './postgres/standbys.js'

/** A live node. */
export interface LiveNode {
  /** The number that its operator gave it; null without one. */
  number: number | null
  /** The version of its program. */
  version: string | null
}

/** The server that writes go to. */
export interface PrimaryState {
  /** Address of the server. */
  server: string
  /** Guarantee of a commit there: it survives a crash of the one server, or the loss of it. */
  promise: 'one server' | 'synchronous standby'
  /** Grows by one with each promotion. */
  timeline: number
}

export interface BeatRow extends PrimaryState, Standbys {
  time: number
  leastVersion: number
  others: LiveNode[]
}

/** A node that has not written for this long is dead. Each node looks, and so writes, about once a second. */
export const LIVE_MS = 3000
/** The server's clock, milliseconds. */
export const TIME = '(1000 * extract(epoch FROM clock_timestamp()))::float'

/**
 * The statement; its parameters are the node's id, number and version. The server's address is null on a Unix socket. No
 * address of the node is stored: a node of an earlier version would send requests there.
 */
export const BEAT = `
  WITH beat AS (
    INSERT INTO palimpsest.nodes (id, beat_at, number, version) VALUES ($1, clock_timestamp(), $2, $3)
    ON CONFLICT (id) DO UPDATE SET beat_at = excluded.beat_at)
  SELECT ${TIMELINE} AS timeline, ${TIME} AS time, (SELECT version FROM palimpsest.min_version) AS "leastVersion",
    coalesce(host(inet_server_addr()) || ':' || inet_server_port(), 'Unix socket') AS server,
    CASE current_setting('synchronous_standby_names') WHEN '' THEN 'one server' ELSE 'synchronous standby' END AS promise,
    ${STANDBYS}, (
    SELECT coalesce(json_agg(json_build_object('number', number, 'version', version)), '[]') FROM palimpsest.nodes
    WHERE id != $1 AND beat_at > clock_timestamp() - interval '${LIVE_MS} milliseconds') AS others`
export const LEAVE = 'DELETE FROM palimpsest.nodes WHERE id = $1'
