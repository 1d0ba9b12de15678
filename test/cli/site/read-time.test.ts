import assert from 'node:assert/strict'
import { readTime } from '../../../src/cli/site/read-time.js'

describe('a time on the command line', () => {
  const zone = process.env['TZ']
  afterEach(() => {
    if (zone === undefined) delete process.env['TZ']
    else process.env['TZ'] = zone
  })
  const inZone = (name: string, text: string): string => {
    process.env['TZ'] = name
    return readTime(text)
  }

  it('is that of the clock here, before and after the clock changes', () => {
    assert.equal(inZone('Europe/Berlin', '2026-12-01 09:00'), '2026-12-01T08:00:00.000Z')
    assert.equal(inZone('Europe/Berlin', '2026-07-01T09:00:30'), '2026-07-01T07:00:30.000Z')
    assert.equal(inZone('Europe/Berlin', '2026-03-29 01:59'), '2026-03-29T00:59:00.000Z')
    assert.equal(inZone('Europe/Berlin', '2026-03-29 03:00'), '2026-03-29T01:00:00.000Z')
    assert.equal(inZone('Asia/Kolkata', '2026-07-01 09:00'), '2026-07-01T03:30:00.000Z')
    assert.equal(inZone('America/New_York', '2026-11-01 03:00'), '2026-11-01T08:00:00.000Z')
    assert.equal(inZone('UTC', '2028-02-29 00:00'), '2028-02-29T00:00:00.000Z')
  })

  it('is an instant with an offset, wherever the clock is', () => {
    for (const name of ['UTC', 'Australia/Lord_Howe']) {
      assert.equal(inZone(name, '2026-10-25T02:30+02:00'), '2026-10-25T00:30:00.000Z')
      assert.equal(inZone(name, '2026-10-25 02:30:00+01:00'), '2026-10-25T01:30:00.000Z')
      assert.equal(inZone(name, '2026-10-25T02:30Z'), '2026-10-25T02:30:00.000Z')
    }
  })

  it('is refused if the clock skips it or shows it twice, with the offset to add', () => {
    assert.throws(() => inZone('Europe/Berlin', '2026-03-29 02:30'), /leaves out 2026-03-29 02:30/)
    assert.throws(() => inZone('Europe/Berlin', '2026-10-25 02:30'), /twice.* 2026-10-25T02:30\+02:00 is the first/)
    assert.throws(() => inZone('America/New_York', '2026-11-01 01:30'), /2026-11-01T01:30-04:00 is the first/)
    assert.throws(() => inZone('Australia/Lord_Howe', '2026-10-04 02:15'), /leaves out/)
    assert.throws(() => inZone('Australia/Lord_Howe', '2026-04-05 01:45'), /2026-04-05T01:45\+11:00 is the first/)
  })

  it('is refused if it is no time', () => {
    for (const text of [
      '',
      'tomorrow',
      '09:00',
      '2026-12-01',
      '2026-02-30 09:00',
      '2026-13-01 09:00',
      '2026-12-01 24:30',
    ])
      assert.throws(() => inZone('UTC', text), /is no time/, text)
    assert.throws(() => inZone('UTC', '2026-12-01T09:00+99:00'), /is no time/)
  })
})
