// The tools of workspaces and sites.

import type { ToolDefinition } from './tool-definition.js'

export const SITE_TOOLS: readonly ToolDefinition[] = [
  {
    name: 'list_workspaces',
    operationId: 'listWorkspaces',
    title: 'List workspaces',
    description: 'Workspaces this key can reach, each with its default site. Needed only to work outside the default.',
    effect: 'reads',
    target: 'none',
    shows: 'workspace',
  },
  {
    name: 'list_sites',
    operationId: 'listSites',
    title: 'List sites',
    description:
      'Sites of a workspace with id, slug and URL. Use it to get a siteId; without one, tools act on the default site.',
    effect: 'reads',
    target: 'workspace',
    shows: 'site',
    without: ['state'],
    undescribed: ['slug'],
    leavesOut: ['usage', 'state', 'import'],
  },
  {
    name: 'list_templates',
    operationId: 'listTemplates',
    title: 'List templates',
    description: 'The templateIds that create_page takes.',
    effect: 'reads',
    target: 'site',
    shows: 'template',
  },
  {
    name: 'check_site',
    operationId: 'checkSite',
    title: 'Check a site',
    description: 'Broken links by target, with page and line, and files that are not served.',
    effect: 'reads',
    target: 'site',
    shows: 'checks',
  },
  {
    name: 'get_me',
    operationId: 'getMe',
    title: 'Who am I',
    description: 'The key, its scopes and sites.',
    effect: 'reads',
    target: 'workspace',
    shows: 'me',
  },
  {
    name: 'get_usage',
    operationId: 'getUsage',
    title: 'What the workspace uses',
    description: 'Bytes, pages and sites, with their quotas.',
    effect: 'reads',
    target: 'workspace',
    shows: 'usage',
  },
  {
    name: 'create_site',
    operationId: 'createSite',
    title: 'Create a site',
    description: 'Makes an empty site, live at once. Needs an admin key.',
    without: ['importUrl', 'importCredentials', 'name'],
    effect: 'adds',
    target: 'workspace',
    shows: 'site',
  },
]
