import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { ServiceError } from '../../../../src/model/errors.js'
import { KeptPictures } from '../../../../src/protocols/host/pictures/kept-pictures.js'
import type { PictureForm } from '../../../../src/model/paths/picture-form.js'
import { readPicture } from '../../../../src/tasks/read-picture.js'
import { TaskPool } from '../../../../src/tasks/task-pool.js'
import type { Tasks } from '../../../../src/tasks/tasks.js'
import { ENTRIES } from '../../../../src/threads/entries.js'
import { type Answer, Hosting } from '../hosting.js'

const MEBIBYTE = 1024 * 1024

describe('pictures that are asked for in a smaller form', () => {
  let hosting: Hosting
  let tasks: Tasks
  let made: string[]
  let refusal: ServiceError | undefined
  let photo: Buffer

  before(async () => {
    tasks = new TaskPool({ entry: ENTRIES.taskWorker, processes: 2, deadlineMs: 60_000 })
    photo = await photoOf(1600, 900, { orientation: 1 })
    hosting = new Hosting({
      pictures: ({ dataDir, store }) => ({
        kept: new KeptPictures(join(dataDir, 'pictures'), MEBIBYTE),
        async readPicture(view, oid, form: PictureForm) {
          made.push(`${form.width} ${form.format}`)
          if (refusal !== undefined) throw refusal
          return await readPicture(tasks, store.repositories, view, oid, form)
        },
      }),
    })
    await hosting.start()
    await hosting.createSite('demo', {
      'photo.jpg': photo,
      'logo.png': await sharp(photo).resize(800).png().toBuffer(),
      'lying.jpg': await photoOf(900, 600, { orientation: 6 }),
      'moving.webp': await moving(),
      'bomb.png': bomb(),
      'broken.png': Buffer.from('not a picture'),
      'drawing.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'about.html': '<h1>About</h1>',
      _headers: '/photo.jpg\n  Cache-Control: max-age=60\n  Content-Type: image/jpeg\n',
    })
  })
  beforeEach(() => {
    made = []
    refusal = undefined
  })
  after(async () => {
    await hosting.stop()
    await tasks.close()
  })

  const ask = (target: string, headers = {}) => hosting.ask('demo', target, headers)
  const sizeOf = async ({ body }: Answer) => {
    const { format, width, height } = await sharp(body).metadata()
    return [format, width, height]
  }

  it('are scaled to the width, in their own format or another one', async () => {
    const own = await ask('/photo.jpg?w=640')
    assert.deepEqual(
      [own.status, own.headers['content-type'], ...(await sizeOf(own))],
      [200, 'image/jpeg', 'jpeg', 640, 360],
    )
    const webp = await ask('/photo.jpg?w=320&format=webp')
    assert.deepEqual([webp.headers['content-type'], ...(await sizeOf(webp))], ['image/webp', 'webp', 320, 180])
    const avif = await ask('/photo.jpg?w=320&format=avif')
    assert.deepEqual([avif.headers['content-type'], ...(await sizeOf(avif))], ['image/avif', 'heif', 320, 180])
    assert.ok(own.body.length < photo.length)
  })

  it("keep the site's fields, and have an entity tag, ranges and conditions of their own", async () => {
    const { headers, body } = await ask('/photo.jpg?w=640')
    assert.equal(headers['cache-control'], 'max-age=60')
    assert.notEqual(headers['etag'], (await ask('/photo.jpg')).headers['etag'])
    assert.equal((await ask('/photo.jpg?w=640', { 'If-None-Match': headers['etag'] })).status, 304)
    const part = await ask('/photo.jpg?w=640', { Range: 'bytes=2-5' })
    assert.deepEqual([part.status, part.body], [206, body.subarray(2, 6)])
  })

  it('stand upright, and do not say where they were taken', async () => {
    const upright = await ask('/lying.jpg?w=320')
    assert.deepEqual(await sizeOf(upright), ['jpeg', 320, 480])
    assert.equal((await sharp(upright.body).metadata()).exif, undefined)
  })

  it('are the picture as it is where it is not as wide, or moves, or where the query means nothing', async () => {
    const targets = [
      '/logo.png?w=1280',
      '/moving.webp?w=320',
      '/photo.jpg?w=641',
      '/photo.jpg?w=640&format=gif',
      '/photo.jpg?v=2',
    ]
    for (const target of targets) {
      const [path = ''] = target.split('?')
      assert.deepEqual((await ask(target)).body, (await ask(path)).body, target)
    }
  })

  it('are made for no drawing and no page', async () => {
    for (const path of ['/drawing.svg', '/about']) {
      const [asked, plain] = [await ask(`${path}?w=320`), await ask(path)]
      assert.deepEqual([asked.status, asked.body], [200, plain.body])
    }
    assert.deepEqual(made, [])
  })

  it('are refused in words, and tried once, where the picture has too many pixels or is none', async () => {
    for (const [path, words] of [
      ['/bomb.png', 'too large'],
      ['/broken.png', 'cannot be read as a picture'],
    ] as const) {
      const answers = [await ask(`${path}?w=960`), await ask(`${path}?w=960`)]
      for (const { status, body } of answers) {
        assert.equal(status, 422)
        assert.match(body.toString(), new RegExp(words))
      }
      assert.equal((await ask(path)).status, 200)
    }
    assert.deepEqual(made, ['960 undefined', '960 undefined'])
  })

  it('are refused where they take too much time or memory, and are the picture as it is where too much waits', async () => {
    refusal = new ServiceError('queue_full', 'Too much work waits.')
    assert.deepEqual((await ask('/photo.jpg?w=1280')).body, photo)
    refusal = new ServiceError('too_costly', 'It takes too long.')
    assert.equal((await ask('/photo.jpg?w=1280')).status, 422)
  })

  it('are made once for all requests', async () => {
    await Promise.all(Array.from({ length: 5 }, () => ask('/photo.jpg?w=960')))
    await ask('/photo.jpg?w=960')
    assert.deepEqual(made, ['960 undefined'])
  })

  it('are made again where the disk has damaged them', async () => {
    const { body } = await ask('/photo.jpg?w=960&format=webp')
    const folder = join(hosting.dataDir, 'pictures')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('960-webp'))
    assert.equal(files.length, 1)
    const file = join(folder, files[0]!)
    writeFileSync(file, readFileSync(file).subarray(0, 100))
    assert.deepEqual((await ask('/photo.jpg?w=960&format=webp')).body, body)
    assert.deepEqual(made, ['960 webp', '960 webp'])
  })

  it('follow a new picture at the same path at once', async () => {
    await ask('/logo.png?w=320')
    hosting.commit('demo', { 'logo.png': await sharp(photo).resize(700, 700).png().toBuffer() })
    assert.deepEqual(await sizeOf(await ask('/logo.png?w=320')), ['png', 320, 320])
  })
})

describe('a service without sharp', () => {
  it('sends pictures as they are', async () => {
    const hosting = new Hosting()
    await hosting.start()
    try {
      const photo = await photoOf(800, 600)
      await hosting.createSite('demo', { 'photo.jpg': photo })
      assert.deepEqual((await hosting.ask('demo', '/photo.jpg?w=320')).body, photo)
    } finally {
      await hosting.stop()
    }
  })
})

/** A picture with noise, as a camera makes it, and with the place where it was taken. */
async function photoOf(width: number, height: number, { orientation = 1 } = {}): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
  return await sharp({ create: { width, height, channels: 3, background: '#888', noise } })
    .withMetadata({ orientation })
    .withExifMerge({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' } })
    .jpeg()
    .toBuffer()
}

async function moving(): Promise<Buffer> {
  const frame = (background: string) =>
    sharp({ create: { width: 500, height: 400, channels: 3, background } })
      .png()
      .toBuffer()
  return await sharp([await frame('#f00'), await frame('#00f')], { join: { animated: true } })
    .webp()
    .toBuffer()
}

/** A PNG of a few kilobytes that claims 30,000 × 30,000 pixels (PNG §11.2.1), and has the bytes for 3 rows. */
function bomb(): Buffer {
  const side = 30_000
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc(3 * (1 + side * 3)))
  const chunk = (type: string, data: Buffer) => {
    const typed = Buffer.concat([Buffer.from(type), data])
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    check.writeUInt32BE(crc32(typed))
    return Buffer.concat([length, typed, check])
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}
