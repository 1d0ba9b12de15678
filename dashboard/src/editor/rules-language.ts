// Colours `_redirects` and `_headers`: comments, statuses, field names. Only the service decides the meaning of a line.

import { StreamLanguage } from '@codemirror/language'

export const rulesLanguage = StreamLanguage.define({
  token(stream) {
    if (stream.eatSpace()) return null
    if (stream.match(/^#.*/)) return 'comment'
    if (stream.match(/^\d{3}!?(?=\s|$)/)) return 'number'
    if (stream.match(/^(?:! *)?[A-Za-z][\w-]*(?=\s*:)/)) return 'propertyName'
    if (stream.match(/^(?:\/|https?:)\S*/)) return 'string'
    stream.match(/^\S+/)
    return null
  },
})
