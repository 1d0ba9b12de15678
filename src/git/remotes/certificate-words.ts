// Describes problems with a remote's certificate, and their solution (Node, "X509 certificate error codes").

const UNTRUSTED: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/** Returns undefined if the certificate is not the reason. */
export function certificateWords(host: string, error: Error): string | undefined {
  const { code = '' } = error as NodeJS.ErrnoException
  if (UNTRUSTED.has(code))
    return `${host} shows a certificate of an authority that this service does not trust. Its operator can add the authority: NODE_EXTRA_CA_CERTS.`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const { cert } = error as { cert?: { subjectaltname?: string } }
    const names = (cert?.subjectaltname ?? 'no name').replaceAll(/(?:DNS|IP Address):/g, '')
    return `${host} shows a certificate for another name: ${names}.`
  }
  if (code === 'CERT_HAS_EXPIRED') return `${host} shows a certificate that has expired.`
  if (code === 'CERT_NOT_YET_VALID') return `${host} shows a certificate that is not valid yet.`
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return `${host} does not speak https at that port.`
  return undefined
}
