// Agents that people connected by OAuth, and the consent that connects one.

import { type Static, Type } from 'typebox'
import { MAX_LABEL_CHARACTERS } from '../src/model/label.js'
import { MAX_KEY_SITES } from '../src/model/limits.js'
import { AGENT_SCOPES } from '../src/model/rights/agent-scopes.js'
import { commitText } from './answer-texts.js'
import { closed, nullable, oid, sliceQuery, timestamp, uuid } from './common.js'

export const agentData = Type.Object(
  {
    id: uuid('The id of the agent.'),
    client: Type.String({ maxLength: 256, description: "The name of the agent's program: its own claim." }),
    clientHost: nullable(
      Type.String({ maxLength: 256, description: 'The host that vouches for the program; null: nobody does.' }),
    ),
    person: Type.Object(
      {
        id: uuid("The person's id."),
        name: Type.String({ maxLength: MAX_LABEL_CHARACTERS }),
      },
      { ...closed, description: 'The person for whom it acts. It may never do more than the person.' },
    ),
    scopes: Type.Array(Type.Enum([...AGENT_SCOPES]), { maxItems: AGENT_SCOPES.length }),
    sites: nullable(
      Type.Array(uuid('The id of a site.'), {
        maxItems: MAX_KEY_SITES,
        description: 'The only sites that it may use; null: all of its person.',
      }),
    ),
    expiresAt: nullable(timestamp('When it must be connected again; null: never.')),
    lastUsedAt: nullable(timestamp('Last use, to the minute.')),
    createdAt: timestamp('When it was connected.'),
    device: nullable(
      Type.String({ maxLength: 100, description: 'Browser and system with which it was connected; null: unknown.' }),
    ),
  },
  { ...closed, title: 'Agent' },
)
export type AgentData = Static<typeof agentData>

export const disconnectedData = Type.Object(
  { id: uuid('The id of the agent.') },
  { ...closed, title: 'DisconnectedAgent' },
)

/** More commits of one run are counted, and not listed: one undo takes no more. */
export const MAX_RUN_COMMITS = 500
const MAX_RUNS = 50

export const listRunsQuery = Type.Object(
  {
    ...sliceQuery,
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_RUNS, default: 20, description: 'The highest number of entries.' }),
    ),
    maker: Type.Optional(
      Type.String({ minLength: 1, maxLength: 1_000, description: 'Only the work of the agent or key with this id.' }),
    ),
  },
  closed,
)

const changedFiles = Type.Integer({ minimum: 0 })

export const runData = Type.Object(
  {
    site: Type.Object(
      {
        id: uuid('The id of the site.'),
        slug: Type.String({ maxLength: 63 }),
        name: nullable(Type.String({ maxLength: 80, description: 'What people call it.' })),
      },
      closed,
    ),
    maker: Type.Object(
      {
        kind: Type.Enum(['agent', 'key', 'token'], {
          description: 'A connected agent, an API key, or a token of an identity provider.',
        }),
        id: Type.String({ maxLength: 1_000, description: 'The id of the agent or key; the subject of the token.' }),
        name: Type.String({ maxLength: 1_000, description: "The name of the agent's program, or the key's label." }),
        ended: Type.Boolean({ description: 'Whether it was disconnected or revoked, or has expired.' }),
      },
      closed,
    ),
    person: nullable(
      Type.Object(
        { id: Type.String({ maxLength: 100 }), name: Type.String({ maxLength: MAX_LABEL_CHARACTERS }) },
        { ...closed, description: 'The person for whom it acted; null for a key of the workspace.' },
      ),
    ),
    startedAt: timestamp('Time of its first commit.'),
    endedAt: timestamp('Time of its last commit so far.'),
    commitCount: Type.Integer({ minimum: 1 }),
    commits: Type.Array(
      Type.Object({ id: oid('The commit.'), subject: commitText(), createdAt: timestamp('Commit time.') }, closed),
      { maxItems: MAX_RUN_COMMITS, description: 'Newest first, at most 500. `POST /sites/{id}/undo` takes them.' },
    ),
    files: nullable(
      Type.Object(
        { added: changedFiles, modified: changedFiles, removed: changedFiles },
        {
          ...closed,
          description: 'Changed files, added up over the commits; null where more than 100 commits would be counted.',
        },
      ),
    ),
  },
  { ...closed, title: 'AgentRun' },
)
export type RunData = Static<typeof runData>

/** The question to a person, at the dashboard. */
export interface ConsentData {
  /** The client's own claim. */
  client: string
  /** The host of its metadata, which proves the name to be its own; null for a client that registered itself. */
  provenHost: string | null
  /** The host, or the program's scheme, to which the browser goes next; null for a program without a browser. */
  goesTo: string | null
  /** The address for which it gets tokens. */
  resource: string
  scope: (typeof AGENT_SCOPES)[number]
  /** The person's name. */
  person: string
  workspaces: {
    id: string
    name: string
    scopes: (typeof AGENT_SCOPES)[number][]
    sites: { id: string; slug: string }[]
  }[]
  /** The workspace that the session means. */
  workspaceId: string
}

export const consentBody = Type.Object(
  {
    allow: Type.Boolean(),
    workspaceId: Type.Optional(uuid('A workspace of the person.')),
    scope: Type.Optional(Type.Enum([...AGENT_SCOPES])),
    /** Null: all of the person's, also later ones. Needed to allow. */
    sites: Type.Optional(nullable(Type.Array(uuid('A site.'), { minItems: 1, maxItems: MAX_KEY_SITES }))),
    /** Days until it must be connected again; null: never. */
    expiresInDays: Type.Optional(nullable(Type.Union([Type.Literal(30), Type.Literal(90)]))),
  },
  closed,
)
export type ConsentBody = Static<typeof consentBody>
