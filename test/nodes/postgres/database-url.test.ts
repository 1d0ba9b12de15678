import assert from 'node:assert/strict'
import { parseDatabaseUrl, tlsOptionsOf } from '../../../src/nodes/postgres/database-url.js'

describe('DATABASE_URL', () => {
  it('names several servers, a user with a password, and the required TLS checks', () => {
    const url = 'postgresql://app:p%40ss:word@a.example,b.example:6432,[2001:db8::1]:5433/pages?sslmode=verify-full'
    assert.deepEqual(parseDatabaseUrl(url), {
      servers: [
        { host: 'a.example', port: 5432 },
        { host: 'b.example', port: 6432 },
        { host: '2001:db8::1', port: 5433 },
      ],
      user: 'app',
      password: 'p@ss:word',
      database: 'pages',
      tls: 'verify-full',
      isFenced: false,
      rootCertificateFile: undefined,
    })
  })

  it('needs no TLS on this machine', () => {
    for (const host of ['localhost', '127.0.0.1:5433', '[::1]', '%2Frun%2Fpostgresql']) {
      const settings = parseDatabaseUrl(`postgres://app@${host}/pages`)
      assert.equal(tlsOptionsOf(settings), false)
    }
    assert.equal(parseDatabaseUrl('postgres://app@%2Frun%2Fpostgresql/pages').servers[0]?.host, '/run/postgresql')
  })

  it('checks the certificate of the server unless sslmode asks only for encryption', () => {
    const tls = (mode: string) => tlsOptionsOf(parseDatabaseUrl(`postgres://app@db.example/pages?sslmode=${mode}`))
    assert.deepEqual(tls('verify-full'), { rejectUnauthorized: true })
    assert.deepEqual(tls('require'), { rejectUnauthorized: false })
    assert.equal(tls('disable'), false)
  })

  it('is refused with a sentence, which does not contain the password', () => {
    const refusals = {
      'mysql://app:secret@db.example/pages': /^must have the form postgres:/,
      'postgres://app:secret@db.example/': /^must have the form/,
      'postgres://:secret@localhost/pages': /^must name a user/,
      'postgres://app:secret@db.example/pages': /^names a server on another machine: add \?sslmode=verify-full/,
      'postgres://app:secret@localhost,db.example/pages': /^names a server on another machine/,
      'postgres://app:secret@localhost:0/pages': /^has the server "localhost:0"/,
      'postgres://app:secret@localhost,/pages': /^has the server ""/,
      'postgres://app:secret@localhost/pages?sslmode=prefer': /^has the sslmode "prefer": use disable, require/,
      'postgres://app:secret@localhost/pages?target_session_attrs=any': /^has the parameter "target_session_attrs"/,
      'postgres://app:secr%et@localhost/pages': /^has a percent sign that encodes nothing/,
    }
    for (const [url, message] of Object.entries(refusals))
      assert.throws(
        () => parseDatabaseUrl(url),
        (error: Error) => message.test(error.message) && !error.message.includes('secr'),
        url,
      )
  })
})
