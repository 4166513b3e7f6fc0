import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { slow } from '../support/scope.ts'
import { until } from '../support/until.ts'
import { expectStatus, problemsOf } from './auth-callers.ts'
import { image, type MediaService, startMediaService } from './media-support.ts'

const bytes = (...parts: (string | Uint8Array)[]) =>
  new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part as string))))

/** A PNG that promises many pixels and holds few. */
function pixelBomb(width: number, height: number): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const chunk = (type: string, data: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const data = deflateSync(Buffer.alloc(1_000))
  return bytes(signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0)))
}

/** A zip with one entry, whose content is given compressed. */
function zipWith(name: string, compressed: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(20, 4)
  header.writeUInt16LE(8, 8)
  header.writeUInt32LE(compressed.length, 18)
  header.writeUInt32LE(size, 22)
  header.writeUInt16LE(name.length, 26)
  return bytes(header, name, compressed, Buffer.from('PK\x05\x06'), Buffer.alloc(18))
}

describe('attacks on uploads', () => {
  let service: MediaService
  let token: string
  before(async () => {
    service = await startMediaService()
    const login = await service.post('/api/admin/auth/login', {
      identifier: 'admin@example.com',
      password: 'a long password for tests',
    })
    token = login.body.data.token
  })
  after(() => service.stop())

  /** Refused, and nothing is left of it. */
  async function expectRefusal(content: string | Uint8Array<ArrayBuffer>, filename: string, status = 415) {
    const before = service.files()
    const answer = await service.upload(content, filename)
    assert.equal(answer.status, status, `${filename}: ${JSON.stringify(answer.body)}`)
    assert.deepEqual(service.files(), before, filename)
    assert.deepEqual(service.incoming(), [], filename)
    return answer
  }

  const sendRaw = async (body: string | Uint8Array, contentType: string) => {
    const response = await fetch(`${service.url}/api/upload`, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${token}`, 'content-type': contentType },
    })
    // biome-ignore lint/suspicious/noExplicitAny: as with `Answer`
    const answer: any = await response.json()
    return { status: response.status, headers: response.headers, body: answer }
  }

  it('under a name that says something else are refused', slow, async () => {
    const png = await image(5, 5)
    for (const name of ['a.jpg', 'a.html', 'a.php', 'a.exe', 'a.js', 'a.svg', 'a.txt', 'a.png.html']) {
      await expectRefusal(png, name)
    }
    await expectRefusal('just text', 'a.png')
    await expectRefusal('just text', 'a.html')
    await expectRefusal('alert(1)', 'a.js')
    await expectRefusal('not json', 'a.json')
    await expectRefusal('<svg xmlns="http://www.w3.org/2000/svg"/>', 'a.txt')
    await expectRefusal('<svg xmlns="http://www.w3.org/2000/svg"/>', 'a.png')
  })

  it('with HTML or scripts are refused under every name', async () => {
    for (const content of [
      '<!DOCTYPE html><p>hi',
      '\ufeff  \n<html><body>',
      '<script>alert(1)</script>',
      '<!-- x --><script>alert(1)</script>',
      '<iframe src="x"></iframe>',
      '#!/bin/sh\nrm -rf /',
      '<?php system("x");',
      '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script/></html>',
    ]) {
      for (const name of ['a.txt', 'a.html', 'a.svg', 'a.csv', 'a', 'a.md'])
        await expectRefusal(content, name)
    }
  })

  it('with executables are refused', async () => {
    await expectRefusal(bytes('\x7fELF', Buffer.alloc(200, 1)), 'a')
    await expectRefusal(bytes('MZ', Buffer.alloc(200, 1)), 'a.exe')
    await expectRefusal(bytes(Buffer.alloc(64, 3)), 'a')
  })

  it('with two faces are refused', async () => {
    const script = '<script>alert(document.domain)</script>'
    const png = await image(5, 5)
    const jpeg = await image(5, 5, 'jpeg')
    await expectRefusal(bytes('GIF89a/*', script, '*/=0;'), 'a.gif')
    await expectRefusal(bytes(png, script), 'a.png')
    await expectRefusal(bytes(jpeg, Buffer.alloc(100_000), '<?php system($_GET[0]); ?>'), 'a.jpg')
    await expectRefusal(bytes('%PDF-1.4\n', '<HTML><body onload=alert(1)>'), 'a.pdf')
    await expectRefusal(bytes('%PDF-1.4\n', '<html>'), 'a.html')
  })

  it('that begin like a page are refused, whatever they are further on', async () => {
    const page = '<script>alert(1)</script>'
    await expectRefusal(bytes('<h1>ftypmp42', Buffer.alloc(20), page), 'a.mp4')
    await expectRefusal(bytes('<h1>ftypqt  ', Buffer.alloc(20), page), 'a.mov')
    await expectRefusal(bytes('%PDF-1.4\n%\xe2\xe3\n <script>', page), 'a.pdf')
    const png = await image(5, 5)
    await expectRefusal(bytes(png, page, png), 'a.png')
  })

  it('with markup in texts that the format has a place for are accepted, and never sniffed', async () => {
    const rich =
      '<?xml version="1.0"?><body xmlns="http://www.w3.org/1999/xhtml"><p>Please shorten</p></body>'
    const pdf = bytes(
      '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Annot /Subtype /Text /RC (',
      `${rich}) >>\nendobj\n2 0 obj\n<< /Title (How to use <body> and <script>) >>\nendobj\ntrailer\n<< /Info 2 0 R >>\n%%EOF\n`,
    )
    const caption = 'A slide with <script>alert(1)</script> on it'
    const exif = { IFD0: { ImageDescription: caption } }
    const jpeg = await sharp(await image(40, 30, 'jpeg'))
      .withExif(exif)
      .toBuffer()
    const png = await sharp(await image(40, 30))
      .withExif(exif)
      .toBuffer()
    const webp = await sharp(await image(40, 30))
      .withExif(exif)
      .webp()
      .toBuffer()
    const comment = Buffer.from([0xff, 0xfe, 0, caption.length + 2])
    const commented = bytes(jpeg.subarray(0, 2), comment, caption, jpeg.subarray(2))
    const cut = jpeg.subarray(0, -40)
    const title = Buffer.alloc(128)
    title.write('TIT2\0\0\0\x20\0\0\0<body> of work')
    const mp3 = bytes('ID3\x03\0\0\0\0\x01\0', title, Buffer.from([0xff, 0xfb, 0x90, 0]), Buffer.alloc(500))
    for (const [content, name, mediaType] of [
      [pdf, 'reviewed.pdf', 'application/pdf'],
      [bytes(jpeg), 'a.jpg', 'image/jpeg'],
      [commented, 'b.jpg', 'image/jpeg'],
      [bytes(cut), 'c.jpg', 'image/jpeg'],
      [bytes(png), 'a.png', 'image/png'],
      [bytes(webp), 'a.webp', 'image/webp'],
      [mp3, 'a.mp3', 'audio/mpeg'],
    ] as const) {
      const media = await service.add(content, name)
      const { response } = await service.fetchFile(media.url)
      assert.equal(response.headers.get('content-type'), mediaType, name)
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff', name)
    }
  })

  it(
    'of subtitles are accepted; other texts where a setting lets them in, as downloads that run nothing',
    slow,
    async () => {
      const vtt = 'WEBVTT\n\n00:00.000 --> 00:01.000\n<script>alert(1)</script>\n'
      const srt = '1\n00:00:00,000 --> 00:00:01,000\n<i>Hi</i>\n'
      assert.equal((await service.add(vtt, 'a.VTT')).mimeType, 'text/vtt')
      assert.equal((await service.add(srt, 'a.srt')).mimeType, 'application/x-subrip')
      await expectRefusal('<!doctype html><script>alert(1)</script>\nWEBVTT', 'a.vtt')
      await expectRefusal('no subtitles', 'a.vtt')

      const xml = (root: string) => `<?xml version="1.0"?>\n<${root} xmlns="urn:x"><n>1</n></${root}>`
      const texts: [string, string, string][] = [
        ['a.vcf', 'BEGIN:VCARD\nVERSION:4.0\nEND:VCARD\n', 'text/vcard'],
        ['a.gpx', xml('gpx'), 'application/gpx+xml'],
        ['a.kml', xml('kml'), 'application/vnd.google-earth.kml+xml'],
        ['a.xml', xml('feed'), 'application/xml'],
        ['a.xliff', xml('xliff'), 'application/xliff+xml'],
        ['a.PO', 'msgid "a"\nmsgstr "b"\n', 'text/x-gettext-translation'],
        ['a.srx', xml('srx'), 'text/x-srx'],
      ]
      for (const [name, content] of texts) await expectRefusal(content, name)
      const allowed = JSON.stringify(['text/*', 'application/*'])
      const open = await startMediaService({ env: { SVC_MEDIA_ALLOWED_TYPES: allowed } })
      for (const [name, content, mediaType] of texts) {
        const media = await open.add(content, name)
        assert.equal(media.mimeType, mediaType)
        const { headers } = (await open.fetchFile(media.url)).response
        assert.match(headers.get('content-disposition') ?? '', /^attachment;/, name)
        assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox$/, name)
        assert.equal(headers.get('x-content-type-options'), 'nosniff', name)
      }
      const page = '<h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:script>alert(1)</h:script></h:html>'
      for (const [name, content] of [
        ...['html', 'HTM', 'xhtml', 'js', 'mjs', 'php', 'svg', 'xsl', 'hta', 'sh'].map((each) => [
          `a.${each}`,
          'text',
        ]),
        ['a.xml', page],
        ['a.xml', `<?xml version="1.0"?><?xml-stylesheet href="x"?><!-- x -->${page}`],
        ['a.xml', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
        ['a.gpx', '<?xml version="1.0"?><?a?><svg xmlns="http://www.w3.org/2000/svg"/>'],
        ['a.po', '<script>alert(1)</script>'],
        ['a.abc', ' \n<!-- --><html>'],
        ['a.png', xml('gpx')],
      ] as [string, string][]) {
        assert.equal((await open.upload(content, name)).status, 415, `${name} ${content}`)
      }
      await open.stop()
    },
  )

  it('with scripts in SVGs are accepted, and served in a sandbox', async () => {
    const doctype = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x" [ <!ENTITY a "b"> ]>'
    const svg = `<?xml version="1.0"?>${doctype}<svg:svg xmlns:svg="http://www.w3.org/2000/svg" onload="alert(1)"/>`
    const media = await service.add(svg, 'a.svg')
    const { response } = await service.fetchFile(media.url)
    assert.match(response.headers.get('content-security-policy') ?? '', /sandbox/)
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
  })

  it('with entities that grow without end do no harm', async () => {
    const entities = Array.from(
      { length: 30 },
      (_, level) => `<!ENTITY e${level + 1} "${`&e${level};`.repeat(10)}">`,
    ).join('')
    const svg = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY e0 "x">${entities}]><svg xmlns="http://www.w3.org/2000/svg"><text>&e30;</text></svg>`
    assert.deepEqual((await service.add(svg, 'laughs.svg')).formats, {})
  })

  it('with more pixels than can be are stored without formats', async () => {
    for (const [width, height] of [
      [30_000, 30_000],
      [2_000_000_000, 2_000_000_000],
    ] as const) {
      assert.deepEqual((await service.add(pixelBomb(width, height), 'bomb.png')).formats, {})
    }
    // Fewer are decoded like those of any other file, although hardly any are there.
    const cut = await service.add(pixelBomb(9_000, 9_000), 'small-bomb.png')
    assert.deepEqual([cut.width, Object.keys(cut.formats).length], [9_000, 3])
  })

  it('with zips that unpack to a lot are stored as they are', slow, async () => {
    const size = 300 * 1024 * 1024
    const compressed = deflateSync(Buffer.alloc(size))
    const raw = compressed.subarray(2, -4)
    const media = await service.add(zipWith('zeros.bin', raw, size), 'bomb.zip')
    assert.equal(media.mimeType, 'application/zip')
    // Whoever looks for the type of an office document unpacks this entry.
    const office = await service.upload(zipWith('[Content_Types].xml', raw, size), 'bomb.docx')
    assert.equal(office.status, 415)
  })

  it('with names that mean something elsewhere are kept under a name of our own', async () => {
    const cases: Record<string, string> = {
      '../../etc/passwd.txt': 'passwd.txt',
      '..\\..\\windows\\win.txt': 'win.txt',
      'a\u0000b.txt': 'ab.txt',
      'CON.txt': 'CON.txt',
      '.txt': '.txt',
      '..': '..',
      '\u202egnp.txt': 'gnp.txt',
      '': 'untitled',
      ' ': 'untitled',
    }
    for (const [sent, kept] of Object.entries(cases)) {
      const part = `--b\r\ncontent-disposition: form-data; name="file"; filename="${sent.replaceAll('\\', '\\\\')}"\r\ncontent-type: application/octet-stream\r\n\r\ntext\r\n--b--\r\n`
      const { status, body } = await sendRaw(part, 'multipart/form-data; boundary=b')
      assert.equal(status, 201, `${sent}: ${JSON.stringify(body)}`)
      assert.equal(body.data.originalName, kept)
      assert.match(body.data.filename, /^[0-9a-f]{32}\.txt$/)
    }
    for (const name of service.files()) assert.match(name, /^[0-9a-f]{32}(_\w+)?\.\w+$/)
  })

  it('with a name of ten thousand characters keep its end', async () => {
    const { originalName } = await service.add('text', `${'😀'.repeat(5_000)}.txt`)
    assert.ok(originalName.length <= 255 && originalName.endsWith('😀.txt'), originalName)
  })

  it('of nothing are refused', async () => {
    const answer = await expectRefusal('', 'empty.txt', 400)
    assert.deepEqual(problemsOf(answer), { file: 'empty' })
  })

  it('that are too large are refused, told beforehand or not', slow, async () => {
    const small = await startMediaService({ env: { SVC_MEDIA_MAX_FILE_SIZE: '200000' } })
    const large = 'x'.repeat(200_001)
    assert.equal((await small.upload(large, 'a.txt')).status, 413)
    assert.equal((await small.upload(large.slice(1), 'a.txt')).status, 201)
    assert.equal((await small.upload('x'.repeat(30_000_000), 'a.txt')).status, 413)
    assert.deepEqual(small.incoming(), [])
    await small.stop()
  })

  it('with other parts than there should be are refused', slow, async () => {
    const file = { name: 'file', content: 'text', filename: 'a.txt' }
    const send = (parts: Parameters<MediaService['send']>[2]) => service.send('POST', '/api/upload', parts)
    const cases: [Parameters<MediaService['send']>[2], Record<string, string>][] = [
      [[], { file: 'required' }],
      [[{ name: 'folderId', content: '1' }], { file: 'required' }],
      [[file, file], { file: 'maxItems' }],
      [[file, { ...file, name: 'files' }], { files: 'unknown' }],
      [[{ ...file, name: 'other' }], { other: 'unknown' }],
      [[{ name: 'file', content: 'text' }], { file: 'type' }],
      [[file, { name: 'folderId', content: 'x' }], { folderId: 'type' }],
      [
        [file, { name: 'folderId', content: '1' }, { name: 'folderId', content: '1' }],
        { folderId: 'maxItems' },
      ],
      [[file, { name: 'folderId', content: '1'.repeat(2_000) }], { folderId: 'maxLength' }],
      [[file, { name: 'more', content: '' }], { more: 'unknown' }],
      [Array.from({ length: 21 }, () => ({ ...file, name: 'files' })), { files: 'maxItems' }],
    ]
    const before = service.files()
    for (const [parts, problems] of cases) {
      const answer = await send(parts)
      assert.equal(answer.status, 400, JSON.stringify([parts.length, answer.body]))
      assert.deepEqual(problemsOf(answer), problems)
    }
    const many = await send(Array.from({ length: 2_000 }, (_, index) => ({ ...file, name: `f${index}` })))
    assert.equal(many.status, 400)
    assert.deepEqual(service.files(), before)
    assert.deepEqual(service.incoming(), [])
  })

  it('in forms that are none are refused', async () => {
    const form = 'multipart/form-data; boundary=b'
    const whole =
      '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\ntext\r\n--b--\r\n'
    assert.equal((await sendRaw(whole, form)).status, 201)
    const cases: [string | Uint8Array, string, number][] = [
      [whole, 'application/json', 415],
      [whole, 'text/plain', 415],
      [whole, 'application/x-www-form-urlencoded', 415],
      [whole, 'multipart/mixed; boundary=b', 415],
      [whole, 'multipart/form-data', 400],
      [whole, 'multipart/form-data; boundary=', 400],
      [whole, 'multipart/form-data; boundary=other', 400],
      ['', form, 400],
      ['nothing of the kind', form, 400],
      [whole.slice(0, -20), form, 400],
      [whole.slice(0, 40), form, 400],
      ['--b\r\n\r\n\r\n--b--\r\n', form, 400],
      [`--b\r\n${'x'.repeat(100_000)}: y\r\n\r\n\r\n--b--\r\n`, form, 400],
      ['--b\r\ncontent-disposition: form-data; filename="a.txt"\r\n\r\ntext\r\n--b--\r\n', form, 400],
      [new Uint8Array(10_000), form, 400],
    ]
    for (const [body, contentType, status] of cases) {
      const answer = await sendRaw(body, contentType)
      assert.equal(
        answer.status,
        status,
        `${contentType} ${String(body).slice(0, 60)}: ${JSON.stringify(answer.body)}`,
      )
    }
    assert.deepEqual(service.incoming(), [])
  })

  it('that end in the middle leave nothing', async () => {
    const before = service.files()
    const upload = request(`${service.url}/api/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=b' },
    })
    const closed = new Promise((resolve) => upload.on('error', () => undefined).on('close', resolve))
    upload.write('--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n')
    upload.write('x'.repeat(1_000_000))
    await until(() => service.incoming().length === 1)
    upload.destroy()
    await closed
    await until(() => service.incoming().length === 0)
    assert.deepEqual(service.files(), before)
  })

  it('that end while thumbnails are made leave nothing', slow, async () => {
    const before = service.files()
    const picture = await image(9_000, 9_000)
    const controller = new AbortController()
    const form = new FormData()
    form.append('file', new Blob([picture]), 'a.png')
    const upload = fetch(`${service.url}/api/upload`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${token}` },
      signal: controller.signal,
    })
    const ended = assert.rejects(upload)
    await until(() => service.incomingBytes() === picture.length)
    controller.abort()
    await ended
    await until(() => service.incoming().length === 0)
    assert.deepEqual(service.files(), before)
    expectStatus(await service.get('/api/livez'), 200)
  })

  it('of one record at the same time leave one file', async () => {
    const media = await service.add('first', 'a.txt')
    const contents = ['second', 'third', 'fourth', 'fifth']
    const answers = await Promise.all(
      contents.map((content) =>
        service.send('PUT', `/api/media/${media.id}/file`, [{ name: 'file', content, filename: 'b.txt' }]),
      ),
    )
    for (const { status } of answers) assert.equal(status, 200)
    const { url, filename } = expectStatus(await service.admin.get(`/api/media/${media.id}`), 200).body.data
    assert.ok(contents.includes((await service.fetchFile(url)).bytes.toString()))
    const written = answers
      .map(({ body }) => body.data.filename as string)
      .filter((name) => name !== filename)
    await until(() => !service.files().some((name) => [...written, media.filename].includes(name)))
    assert.ok(service.files().includes(filename))
  })

  it('to a record that is deleted meanwhile leave nothing', slow, async () => {
    const media = await service.add('first', 'a.txt')
    const before = service.files().filter((name) => name !== media.filename)
    const content = await image(4_000, 4_000)
    const replacing = service.send('PUT', `/api/media/${media.id}/file`, [
      { name: 'file', content, filename: 'b.png' },
    ])
    await until(() => service.incomingBytes() === content.length)
    expectStatus(await service.admin.delete(`/api/media/${media.id}`), 200)
    assert.equal((await replacing).status, 404)
    await until(() => service.incoming().length === 0 && service.files().length === before.length)
    assert.deepEqual(service.files(), before)
  })
})
