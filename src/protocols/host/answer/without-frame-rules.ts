// Takes away the fields by which a site forbids other pages to show it in a frame (CSP §6.4.2, HTML §7.7). The other fields stay.

type Fields = Readonly<Record<string, string>>

export function withoutFrameRules(fields: Fields): Fields {
  const { 'x-frame-options': _, 'content-security-policy': policies, ...kept } = fields
  const left = withoutAncestors(policies ?? '')
  return left === '' ? kept : { ...kept, 'content-security-policy': left }
}

/** Commas separate policies, semicolons directives. */
function withoutAncestors(policies: string): string {
  return policies
    .split(',')
    .map((policy) => policy.split(';').filter((directive) => !/^\s*frame-ancestors(?:\s|$)/i.test(directive)))
    .map((directives) => directives.join(';').trim())
    .filter((policy) => policy !== '')
    .join(', ')
}
