import assert from 'node:assert/strict'
import { ServiceError } from '../../src/model/errors.js'
import { editFile, textOfFile } from '../../src/texts/file-text.js'

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')

describe('the text of a file', () => {
  for (const [name, bytes] of Object.entries({
    'no bytes': Buffer.alloc(0),
    'UTF-8 of several scripts': Buffer.from('漢字 😀 ä\r\nz'),
    'UTF-8 with a byte order mark': Buffer.from('\ufeffa { }'),
    'control characters of terminals': Buffer.from('\u001b[31mred\u000c'),
  })) {
    it(`is read from ${name}, and keeps every byte`, () =>
      assert.ok(Buffer.from(textOfFile(bytes)).equals(bytes), textOfFile(bytes)))
  }

  for (const [name, bytes, reason] of [
    ['UTF-16 of little endian', utf16('a { }'), /is text in UTF-16, not in UTF-8/],
    ['UTF-16 of big endian', utf16('a { }').swap16(), /is text in UTF-16, not in UTF-8/],
    ['UTF-16 without a mark', Buffer.from('a { }', 'utf16le'), /has NUL bytes/],
    ['Latin-1', Buffer.from('Grün', 'latin1'), /is not text in UTF-8/],
    ['a picture', Buffer.from('\x89PNG\r\n\x1a\n\0', 'latin1'), /is not text in UTF-8/],
    ['a NUL at the end of much text', Buffer.from(`${'x'.repeat(20_000)}\0`), /has NUL bytes/],
  ] as const) {
    it(`is refused for ${name}, with the reason, to read and to edit`, () => {
      const refused = (error: unknown) =>
        error instanceof ServiceError && error.code === 'not_text' && reason.test(error.message)
      assert.throws(() => textOfFile(bytes), refused)
      assert.throws(() => editFile(bytes, [{ find: 'a', replace: 'b' }]), refused)
    })
  }

  it('is edited without changes around the edit, including the byte order mark and line ends', () => {
    const bytes = Buffer.from('\ufeffa { }\r\nb { }\r\n')
    const edited = editFile(bytes, [{ find: 'b { }', replace: 'b {\n}' }])
    assert.equal(Buffer.from(edited).toString(), '\ufeffa { }\r\nb {\r\n}\r\n')
  })

  it('may be emptied by an edit', () =>
    assert.equal(editFile(Buffer.from('a\n'), [{ lines: '1-1', replace: '' }]).length, 0))
})
