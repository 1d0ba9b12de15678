// The catalog: workspaces, sites, keys and grants in `<data dir>/catalog.db`. A change is on disk before it is answered.
// Questions asked by every request (`find…`, `grantsTo`) are synchronous; everything else returns a promise, as Kysely does.

import type { Clock } from '../model/clock.js'
import { catalogMigrations } from './database/catalog-migrations.js'
import {
  catalogFileIn,
  CatalogNotReady,
  CatalogUnusable,
  explainUnusable,
  listRepositories,
  refuseLostCatalog,
  refuseWithoutCatalog,
} from './catalog-file.js'
import { withClock } from './database/catalog-database.js'
import { type OpenDatabase, openDatabase, openDatabaseToRead, stepsOf } from './database/database.js'
import { Grants } from './grants.js'
import { IdempotencyRecords } from './idempotency.js'
import { Mirrors } from './remotes/mirrors.js'
import { SiteImports } from './remotes/site-imports.js'
import { KeyUsage } from './key-usage.js'
import { Keys } from './keys.js'
import { Links } from './links.js'
import { Pushes } from './pushes/pushes.js'
import { ClosedSessions } from './people/closed-sessions.js'
import { Identities } from './people/identities.js'
import { MailDomains } from './people/mail-domains.js'
import { Invitations } from './people/invitations.js'
import { Members } from './people/members.js'
import { PendingSignIns } from './people/pending-sign-ins.js'
import { Passkeys } from './people/passkeys.js'
import { PersonalKeys } from './personal-keys.js'
import { Sessions } from './people/sessions.js'
import { Users } from './people/users.js'
import { AuditLog } from './audit/audit-log.js'
import { Agents } from './agents/agents.js'
import { OAuthItems } from './agents/oauth-items.js'
import { Approvals } from './requests/approvals.js'
import { ChangeRequests } from './requests/change-requests.js'
import { Comments } from './requests/comments.js'
import { Makers } from './requests/makers.js'
import { RequestLists } from './requests/request-lists.js'
import { ProtectionExceptions } from './requests/protection-exceptions.js'
import { Schedules } from './requests/schedules.js'
import { Sites } from './sites.js'
import type { CatalogTables } from './database/tables.js'
import { Withdrawals } from './withdrawals.js'
import { Workspaces } from './workspaces.js'

export type Catalog = Readonly<ReturnType<typeof catalogOf>>

export interface CatalogOptions {
  clock?: Clock
}

/**
 * Opens the catalog. Any number of processes may have it open; each sees the others' changes with its next statement (see
 * `findBySlug`). Creates it in a folder without repositories. Throws CatalogUnusable if it is lost or damaged.
 */
export async function openCatalog(dataDir: string, options: CatalogOptions = {}): Promise<Catalog> {
  refuseLostCatalog(dataDir)
  const file = catalogFileIn(dataDir)
  let database: OpenDatabase<CatalogTables> | undefined
  try {
    database = await openDatabase<CatalogTables>(file, { synchronous: 'FULL', migrations: catalogMigrations })
    const isEmpty = database.sqlite.prepare('SELECT 1 FROM sites LIMIT 1').all([]).length === 0
    if (isEmpty && listRepositories(dataDir).length > 0) throw new CatalogUnusable(file, 'holds no site')
    return catalogOf(database, options.clock ?? (() => new Date()))
  } catch (error) {
    database?.close()
    throw explainUnusable(file, error)
  }
}

/** The part of the catalog that serving visitors needs. */
export type ReadCatalog = Pick<
  Catalog,
  'sites' | 'changeRequests' | 'links' | 'withdrawals' | 'agents' | 'grants' | 'keys' | 'members' | 'users' | 'close'
>

/**
 * Opens the catalog for a process that only reads it. Commits of other processes are seen with the next statement. Throws
 * CatalogNotReady if there is no catalog or one of another version, and CatalogUnusable if it is lost or damaged.
 */
export function openCatalogToRead(dataDir: string, clock: Clock): ReadCatalog {
  const file = catalogFileIn(dataDir)
  refuseWithoutCatalog(dataDir)
  let database: OpenDatabase<CatalogTables> | undefined
  try {
    const steps = Object.keys(catalogMigrations)
    database = openDatabaseToRead<CatalogTables>(file, { synchronous: 'FULL' })
    refuseOtherSchema(file, stepsOf(database.sqlite), steps)
    return catalogOf(database, clock)
  } catch (error) {
    database?.close()
    throw error instanceof CatalogNotReady ? error : explainUnusable(file, error)
  }
}

/** Compares the last steps, which name the schemas. */
function refuseOtherSchema(file: string, found: readonly string[], needed: readonly string[]): void {
  const [has = 'none', needs] = [found.at(-1), needed.at(-1)]
  if (has === needs) return
  throw new CatalogNotReady(
    `${file} has the schema ${has}, and this process needs ${needs}: start the role api of the same version first.`,
  )
}

/** Returns the catalog in an open database. Closing the catalog closes the database. */
export function catalogOf(open: OpenDatabase<CatalogTables>, clock: Clock) {
  const database = withClock(open, clock)
  const keys = new Keys(database)
  const keyUsage = new KeyUsage(keys, clock)
  const agents = new Agents(database)
  const agentUsage = new KeyUsage(agents, clock)
  return {
    workspaces: new Workspaces(database),
    sites: new Sites(database),
    protectionExceptions: new ProtectionExceptions(database),
    changeRequests: new ChangeRequests(database),
    requestLists: new RequestLists(database),
    requestMakers: new Makers(database),
    schedules: new Schedules(database),
    approvals: new Approvals(database),
    comments: new Comments(database),
    keys,
    keyUsage,
    grants: new Grants(database),
    users: new Users(database),
    members: new Members(database),
    personalKeys: new PersonalKeys(database),
    identities: new Identities(database),
    mailDomains: new MailDomains(database),
    pendingSignIns: new PendingSignIns(database),
    sessions: new Sessions(database),
    closedSessions: new ClosedSessions(database),
    agents,
    agentUsage,
    oauthItems: new OAuthItems(database),
    passkeys: new Passkeys(database),
    invitations: new Invitations(database),
    audit: new AuditLog(database),
    idempotency: new IdempotencyRecords(database),
    imports: new SiteImports(database),
    mirrors: new Mirrors(database),
    links: new Links(database),
    withdrawals: new Withdrawals(database),
    pushes: new Pushes(database),
    /** Writes a complete copy as of this moment to `file`, which must not exist. The copy is not synced. */
    copyTo: (file: string): void => database.sqlite.exec(`VACUUM INTO '${file.replaceAll("'", "''")}'`),
    /** Writes the last uses of keys, if the disk takes them, and closes the file. */
    async close(): Promise<void> {
      await keyUsage.close()
      await agentUsage.close()
      database.close()
    },
  }
}
