// The mail domains whose people may join a workspace by themselves. Only owners who are signed in see and change them.

import type { MailDomainData } from '../../../schemas/mail-domains.js'
import type { MailDomain } from '../../catalog/people/mail-domains.js'
import { lowerAscii } from '../../model/ascii-case.js'
import { ServiceError } from '../../model/errors.js'
import type { Role } from '../../model/rights/roles.js'
import type { Call } from '../context/call.js'
import { recordAudit } from '../context/audit.js'
import type { Result } from '../context/result.js'
import { parseRights } from '../people/roles.js'

interface DomainName {
  issuer: string
  domain: string
}

export async function listMailDomains(call: Call<'catalog'>): Promise<Result<MailDomainData[]>> {
  const { catalog } = call
  const domains = await catalog.mailDomains.list(call.target.workspace.id)
  return { data: domains.map(toData), nextCursor: null }
}

/** Allows a domain of one provider. Throws `site_not_found`, and `invalid_body` for an unknown issuer. */
export async function putMailDomain(
  call: Call<'catalog' | 'providers'>,
  input: DomainName & { role: Role; sites?: readonly string[] | null },
): Promise<Result<MailDomainData>> {
  const { catalog, providers } = call
  const { issuer } = input
  if (!providers.some(({ settings }) => settings.issuer === issuer))
    throw new ServiceError('invalid_body', 'This is the issuer of no provider: GET /session/providers lists them.', [
      { field: '/issuer', message: 'is unknown' },
    ])
  const { role, sites } = parseRights(call, input)
  const domain = lowerAscii(input.domain)
  const workspaceId = call.target.workspace.id
  await catalog.mailDomains.put({ workspaceId, issuer, domain, role, sites })
  const details = { issuer, role, sites }
  await recordAudit(call, { action: 'mail-domain.set', target: `mail-domain ${domain}`, details })
  const set = (await catalog.mailDomains.list(workspaceId)).find(
    (one) => one.domain === domain && one.issuer === issuer,
  )
  if (set === undefined) throw noDomain()
  return { data: toData(set) }
}

/** Lets nobody else join by the domain; members stay. Throws `mail_domain_not_found`. */
export async function removeMailDomain(
  call: Call<'catalog'>,
  { issuer, domain: name }: DomainName,
): Promise<Result<DomainName>> {
  const domain = lowerAscii(name)
  if (!(await call.catalog.mailDomains.remove(call.target.workspace.id, issuer, domain))) throw noDomain()
  const details = { issuer }
  await recordAudit(call, { action: 'mail-domain.remove', target: `mail-domain ${domain}`, details })
  return { data: { issuer, domain } }
}

function noDomain(): ServiceError {
  return new ServiceError('mail_domain_not_found', 'There is no such mail domain: GET /mail-domains lists them.')
}

function toData({ issuer, domain, role, sites, createdAt }: MailDomain): MailDomainData {
  return { issuer, domain, role, sites: sites && [...sites], createdAt }
}
