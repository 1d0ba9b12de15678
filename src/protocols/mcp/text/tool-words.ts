// Puts a refusal of the API into the words of the tools: tools for endpoints, and arguments for header fields.

import { TOOLS } from '../tools/tool-table.js'
import type { Failure } from './refusal-result.js'

/** The tools for the endpoints that refusals of the API name. */
const TOOL_OF_ENDPOINT: Readonly<Record<string, string>> = {
  'GET /accounts': 'list_workspaces',
  'GET /sites': 'list_sites',
  'GET /pages': 'list_pages',
  'PUT /pages': 'create_page',
  'GET /collections': 'list_collections',
  'GET /templates': 'list_templates',
  'GET /usage': 'get_usage',
  'GET /files': 'list_files',
  'PUT /files': 'put_file',
  'GET /files/text': 'get_file',
  'PATCH /files/content': 'edit_file',
  'GET /sites/{id}/commits': 'list_commits',
  'GET /sites/{id}/change-requests': 'list_change_requests',
  'GET /change-requests/{id}/changes': 'get_change_request',
  'GET /change-requests/{id}/comments': 'get_change_request',
  'POST /change-requests/{id}/publish': 'publish_change_request',
  'POST /change-requests/{id}/update': 'update_change_request',
  'POST /batch': 'batch',
}

const ARGUMENTS: readonly (readonly [pattern: RegExp, argument: string])[] = [
  [/(?:the header )?x-service-site-id/gi, 'siteId'],
  [/(?:the header )?x-service-account-id/gi, 'accountId'],
  [/\bIf-Match\b/g, 'ifMatch'],
  [/\bETag\b/g, 'etag'],
  [/\bIdempotency-Key\b/g, 'idempotencyKey'],
  [/\bThe (?:body|query|path) is not valid: \/?/g, 'The arguments are not valid: '],
]

/** The call that proposes a refused change (`approvalRequired`). */
const PROPOSAL = /[A-Z]+ \/\S+changeRequest=new, with the same header fields and body\./

/** Names tools and arguments in a sentence of the API. */
export function toolWords(sentence: string): string {
  const names = new Set(TOOLS.map(({ name }) => name))
  const withTools = sentence
    .replace(PROPOSAL, 'call this tool again with the same arguments and changeRequest: "new".')
    .replaceAll('unpublish the page', 'unpublish the page (delete_page)')
    .replace(/`?\b[A-Z]+ \/[\w{}/-]+(\?path=)?`?/g, (endpoint, query?: string) => {
      const tool =
        TOOL_OF_ENDPOINT[
          endpoint
            .replaceAll('`', '')
            .replace('?path=', '')
            .replace(/[0-9a-f-]{36}/, '{id}')
        ]
      return tool !== undefined && names.has(tool) ? `${tool}${query === undefined ? '' : ' path='}` : 'the API'
    })
  return ARGUMENTS.reduce((words, [pattern, name]) => words.replace(pattern, name), withTools)
}

/** Rewords the message. Details name fields as the message does, so they stay as they are. */
export function inToolWords(failure: Failure): Failure {
  return { ...failure, message: toolWords(failure.message) }
}
