// Checks and scenarios of the suite that do not apply to this server, and why. All others must pass.

export interface Exception {
  scenarios: RegExp
  /** The checks of them that do not apply; all where none are given. */
  checks?: RegExp
  because: string
}

export const NOT_APPLICABLE: readonly Exception[] = [
  {
    scenarios: /^(tools-call|resources-read|resources-templates|prompts-get|json-schema|http-custom-header)-/,
    because: 'it uses tools, resources and prompts of a test server by name',
  },
  {
    scenarios: /^(elicitation-|input-required-result-(?!unsupported-methods|validate-input))/,
    because: 'it uses tools of a test server by name',
  },
  { scenarios: /^server-sse-/, because: 'there are no sessions to resume: each message stands alone' },
  { scenarios: /^(logging-set-level|completion-complete)$/, because: 'no capability of this server: it says so' },
  {
    scenarios: /^resources-(un)?subscribe$/,
    because: 'no capability of this server: the lists never change while it runs',
  },
  {
    scenarios: /^server-stateless$/,
    checks: /subscription/,
    because: 'no capability of this server: the lists never change while it runs',
  },
  {
    scenarios: /^server-stateless$/,
    checks: /missing-capability|undeclared-capability|no-independent-requests|no-log-without/,
    because: 'the check uses tools of a test server by name',
  },
  {
    scenarios: /^auth\/(client-credentials|enterprise|dpop|wif)/,
    because: 'it tests how a client uses an extension: this server offers none of them',
  },
  {
    scenarios: /^auth\//,
    because: 'it tests how a client of tools signs in at a test server: this project is no such client',
  },
]
