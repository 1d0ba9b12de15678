// `palimpsest workspaces`: create and list workspaces, and set their quotas. The API cannot: only the operator decides who has what.

import { type Command, InvalidArgumentError } from 'commander'
import { type OwnQuotas, QUOTAS, type QuotaName, quotasOf } from '../../admission/quotas.js'
import { recordAudit } from '../../usecases/context/audit.js'
import { operatorCall } from '../../usecases/context/operator.js'
import { timeCell } from '../terminal/age.js'
import { printTable } from '../terminal/table.js'
import { findWorkspace, withOffline } from './offline.js'

/** A quota as the command line gives it. */
type GivenQuota = number | 'none' | 'default'

export function addWorkspaces(program: Command): void {
  const workspaces = program.command('workspaces').description('create and list workspaces, and set their quotas')
  workspaces
    .command('create <name>')
    .description('create a workspace and its default site, and print their ids')
    .requiredOption('--site <slug>', 'the subdomain of its default site')
    .action(createWorkspace)
  workspaces
    .command('quota <workspace>')
    .description('set what a workspace may have, and show its quotas; its name or id')
    .option('--bytes <number>', 'of its repositories on the disk; "none": no limit, "default": the setting', parseQuota)
    .option('--pages <number>', 'published in all its sites; the same words', parseQuota)
    .option('--sites <number>', 'of its own; the same words', parseQuota)
    .action(setQuotas)
  workspaces.command('list').description('list all workspaces').action(listWorkspaces)
}

async function createWorkspace(name: string, options: { site: string }): Promise<void> {
  await withOffline(async (services) => {
    const { workspace, site } = await services.provisioner.createWorkspace(name, options.site)
    const context = operatorCall(workspace, 'workspaces create', services.newId)
    await recordAudit({ ...services, ...context }, { action: 'workspace.create', target: `workspace ${workspace.id}` })
    printTable(['workspace', 'site', 'slug'], [[workspace.id, site.id, site.slug]])
  })
}

async function listWorkspaces(): Promise<void> {
  await withOffline(async ({ catalog }) => {
    const all = await catalog.workspaces.list()
    printTable(
      ['id', 'name', 'default site', 'created'],
      all.map(({ id, name, defaultSiteId, createdAt }) => [id, name, defaultSiteId ?? '-', timeCell(createdAt)]),
    )
  })
}

/** Changes the quotas that are given. A running service holds to them from its next request on. */
async function setQuotas(name: string, options: Partial<Record<QuotaName, GivenQuota>>): Promise<void> {
  await withOffline(async ({ catalog, config, newId }) => {
    const workspace = await findWorkspace(catalog, name)
    const { id } = workspace
    const given = Object.entries(options).map(([quota, value]) => [quota, value === 'default' ? null : value])
    const quotas = Object.fromEntries(given) as Partial<OwnQuotas>
    if (given.length > 0) {
      await catalog.workspaces.setQuotas(id, quotas)
      const context = operatorCall(workspace, 'workspaces quota', newId)
      const event = { action: 'workspace.quota', target: `workspace ${id}`, details: { ...quotas } }
      await recordAudit({ catalog, ...context }, event)
    }
    const { quotas: own } = await findWorkspace(catalog, id)
    const inForce = quotasOf(config.limits, own)
    const sourceOf = (quota: QuotaName, setting: string) => {
      if (own[quota] !== null) return 'its own'
      return inForce[quota] === null ? '-' : setting
    }
    printTable(
      ['of', 'quota', 'set by'],
      QUOTAS.map(({ name: of, setting }) => [of, String(inForce[of] ?? 'none'), sourceOf(of, setting)]),
    )
  })
}

function parseQuota(text: string): GivenQuota {
  if (text === 'none' || text === 'default') return text
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Give a whole number, "none" or "default".')
}
