// Tells which operation made a commit. If a person wrote a message, that is the subject, and a trailer has the operation.

export const OPERATION_TRAILER = 'Operation'
/** Names the reason of a write until its commit is made. Commits of earlier versions keep it. */
export const REASON_TRAILER = 'Reason'

/** Returns the operation, such as `Replace /about`. For pushed commits it is whatever they claim, and shown only. */
export function operationOf({
  subject,
  trailers,
}: {
  subject: string
  trailers: Readonly<Record<string, string>>
}): string {
  return trailers[OPERATION_TRAILER] ?? subject
}
