// The ten rules of the test of time, written by hand: whether what was made before holds after somebody lost a right. They know no code of
// the service.

/** Something that was made before. Its maker was an owner of all sites then. */
export interface Way {
  name: string
  /** Its owner: the maker, the workspace, or another person to whom the maker lent it. */
  of: 'maker' | 'workspace' | 'borrower'
  /** Its use when it is tried. */
  does: 'write' | 'invite' | 'sign in' | 'be signed in'
  /** The kind of principal that made it or carries it. */
  by?: 'key' | 'agent'
  /** Whether it is a link that is not used yet. */
  isLink?: boolean
}

/** The event between making and trying. */
export interface Loss {
  name: string
  /** The role of the maker after it; null: no member. */
  role: 'owner' | 'editor' | 'viewer' | null
  /** Whether the maker's role is for another site alone. */
  isLimited?: boolean
  /** The kind of principal that ended. */
  ends?: 'key' | 'agent'
  /** Whether the borrower joined another workspace, which the maker does not own. */
  joined?: boolean
}

interface Rule {
  says: string
  ends: (way: Way, loss: Loss) => boolean
}

const WRITERS = ['editor', 'owner']

export const RULES: readonly Rule[] = [
  { says: 'What a key made or carries ends with the key.', ends: ({ by }, { ends }) => by === 'key' && ends === 'key' },
  {
    says: 'What an agent made or carries ends with the agent.',
    ends: ({ by }, { ends }) => by === 'agent' && ends === 'agent',
  },
  {
    says: "What is a person's own ends when the person goes.",
    ends: ({ of }, { role }) => of === 'maker' && role === null,
  },
  {
    says: 'It writes, and shows what only writers show, while its maker may write.',
    ends: ({ of, does }, { role }) => of === 'maker' && does === 'write' && !WRITERS.includes(role ?? ''),
  },
  {
    says: 'It does so only at the sites of its maker.',
    ends: ({ of, does }, { isLimited = false }) => of === 'maker' && does === 'write' && isLimited,
  },
  {
    says: 'An invitation holds while its maker may give what it gives.',
    ends: ({ does }, { role, isLimited = false }) => does === 'invite' && (role !== 'owner' || isLimited),
  },
  {
    says: 'What an owner lends ends when the owner is none any more.',
    ends: ({ of }, { role }) => of === 'borrower' && role !== 'owner',
  },
  {
    says: 'A link for a member also ends when the member joins a workspace that its maker does not own.',
    ends: ({ isLink = false }, { joined = false }) => isLink && joined,
  },
  // Every session is tried elsewhere too: the answer is then neither "holds" nor "ended".
  { says: 'What was lent opens one workspace, whatever else its person joins.', ends: () => false },
  { says: 'Whatever no rule ends holds, also a key of the workspace whose maker is gone.', ends: () => false },
]

export type Answer = 'holds' | 'ended'

export function demand(way: Way, loss: Loss): Answer {
  return RULES.some((rule) => rule.ends(way, loss)) ? 'ended' : 'holds'
}
