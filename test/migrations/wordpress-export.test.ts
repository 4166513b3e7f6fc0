import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { openWordpress } from '../../core-plugins/administration/migrations/migrations.ts'
import { withFiles, withParagraphs } from '../../core-plugins/administration/migrations/wordpress/texts.ts'
import { runCommand } from '../support/command-line.ts'
import { withProject } from '../support/process.ts'
import { slow } from '../support/scope.ts'
import { importArguments, siteFile, uploads } from './wordpress-world.ts'

const folder = mkdtempSync(join(tmpdir(), 'wordpress-exports-'))

let count = 0
function fileWith(content: string | Buffer): string {
  count += 1
  const path = join(folder, `export-${count}.xml`)
  writeFileSync(path, content)
  return path
}

const version = '<wp:wxr_version>1.2</wp:wxr_version>'
const channel = (content: string, head = '<?xml version="1.0" encoding="UTF-8"?>') =>
  `${head}\n<rss xmlns:wp="x">\n<channel>\n${version}\n${content}\n</channel>\n</rss>\n`
const post = (id: number, rest: string) =>
  `<item>\n<wp:post_id>${id}</wp:post_id>\n<wp:post_type>post</wp:post_type>\n${rest}\n</item>`

async function refuses(content: string | Buffer, message: RegExp): Promise<void> {
  await assert.rejects(openWordpress(fileWith(content)), { name: 'MigrationError', message })
}

/** What an export becomes, of one type. */
async function entriesOf(path: string, type: string) {
  const source = await openWordpress(path)
  const found = source.types.find((each) => each.type === type)
  assert.ok(found, type)
  const entries = [...source.entries(found)]
  await source.close()
  return entries
}

describe('reading exports of WordPress', () => {
  after(() => rmSync(folder, { recursive: true, force: true }))

  describe('an export of WordPress', () => {
    it('is refused where it is hostile, or none, by the line', async () => {
      const bomb = '<!DOCTYPE rss [ <!ENTITY a "aaaa"> <!ENTITY b "&a;&a;&a;&a;"> ]>'
      await refuses(channel(post(1, '<title>&b;</title>'), bomb), /^line 1: the file has a document type/)
      await refuses(channel('<!ENTITY a "aaaa">'), /the file is no well-formed XML/)
      await refuses(
        channel(post(1, '<title>&bomb;</title>')),
        /^line 8: the file is no well-formed XML: Invalid character entity/,
      )
      await refuses(channel(post(1, '<title>x</item>')), /^line \d+: the file is no well-formed XML/)
      await refuses(
        readFileSync(siteFile).subarray(0, 9000),
        /^line \d+: the file is no well-formed XML: Unclosed/,
      )
      await refuses('<html></html>', /^line 1: the file begins with <html>/)
      await refuses('no XML', /^line 1: the file is no well-formed XML/)
      await refuses('', /no well-formed XML|no wp:wxr_version/)
      await refuses('<rss><channel><title>News</title></channel></rss>', /names no wp:wxr_version/)
      await refuses(channel('').replace('>1.2<', '>2.0<'), /^line 4: the export has version 2\.0/)
      await refuses(channel('<a>'.repeat(40) + '</a>'.repeat(40)), /^line 5: there are more than 32 elements/)
      await refuses(channel(post(1, '<b><c/></b>'.repeat(30_000))), /has more than 50000 elements/)
      const long = `<title>${'a'.repeat(1_000_000)}</title>`.repeat(17)
      await refuses(channel(post(1, long)), /^line 8: <item> in line 5 has more than 16000000 characters/)
      await assert.rejects(openWordpress(join(folder, 'missing.xml')), { message: /cannot be read/ })
    })

    it('is refused in a broken encoding, and read in that which it names', async () => {
      const latin = (head: string) => Buffer.from(channel(post(1, '<title>Größe</title>'), head), 'latin1')
      await refuses(
        latin('<?xml version="1.0" encoding="UTF-8"?>'),
        /^after line \d+: the file is not in utf-8/,
      )
      await refuses(
        latin('<?xml version="1.0" encoding="klingon"?>'),
        /^line 1: the encoding klingon is not known/,
      )
      const [entry] = await entriesOf(fileWith(latin('<?xml version="1.0" encoding="ISO-8859-1"?>')), 'post')
      assert.equal(entry?.values.title, 'Größe')
      const wide = Buffer.from(
        `\ufeff${channel(post(1, '<title>Größe</title>'), '')}`.replace('\n', ''),
        'utf16le',
      )
      assert.equal((await entriesOf(fileWith(wide), 'post'))[0]?.values.title, 'Größe')
    })

    it('loses characters that no XML may have', async () => {
      const title = '<title><![CDATA[a\u000bb\u0000c]]></title>'
      assert.equal((await entriesOf(fileWith(channel(post(1, title))), 'post'))[0]?.values.title, 'abc')
    })

    it('of WordPress 3 (WXR 1.1) is read as well', async () => {
      const path = join(import.meta.dirname, 'wordpress-1.1.xml')
      const [older] = await entriesOf(path, 'post')
      assert.equal(older?.values.content, '<p>One</p>\n<p>Two</p>')
      assert.equal(Object(older?.values.tags).length, 1)
      assert.deepEqual(
        (await entriesOf(path, 'tag')).map(({ values }) => values.slug),
        ['old'],
      )
      assert.deepEqual(
        (await entriesOf(path, 'page')).map(({ values }) => values.slug),
        ['older-page'],
      )
    })

    it('names files, of which none is read outside of the uploads', async () => {
      const root = join(folder, 'uploads')
      cpSync(uploads, root, { recursive: true })
      mkdirSync(join(folder, 'private'))
      writeFileSync(join(folder, 'private/key.txt'), 'secret')
      symlinkSync(join(folder, 'private'), join(root, 'link'))
      const attachment = (id: number, path: string) =>
        post(
          id,
          `<wp:postmeta><wp:meta_key>_wp_attached_file</wp:meta_key><wp:meta_value>${path}</wp:meta_value></wp:postmeta>`,
        ).replace('>post<', '>attachment<')
      const paths = [
        '../private/key.txt',
        'link/key.txt',
        join(folder, 'private/key.txt'),
        '2026/01/harbour.png',
      ]
      const path = fileWith(channel(paths.map((each, index) => attachment(index + 1, each)).join('\n')))
      const source = await openWordpress(path, { uploads: root })
      const names: string[] = []
      for await (const { name } of source.files()) names.push(name)
      await source.close()
      assert.deepEqual(names, ['harbour.png'])
      assert.equal(source.findings.filter(({ message }) => message.startsWith('is not among')).length, 3)
      await assert.rejects(openWordpress(path, { uploads: join(folder, 'none') }), {
        message: /there is no folder/,
      })
    })

    it('has its files fetched from the site, in production from public addresses only', slow, () =>
      withProject({ schemas: {} }, async (project) => {
        const server = createServer((request, response) => {
          response.end(readFileSync(join(uploads, String(request.url).replace('/wp-content/uploads/', ''))))
        })
        server.listen(0, '127.0.0.1')
        await once(server, 'listening')
        const { port } = server.address() as AddressInfo
        const site = readFileSync(siteFile, 'utf8').replaceAll(
          'https://www.harbour.example',
          `http://127.0.0.1:${port}`,
        )
        const path = fileWith(site.replace('gone.png', 'timetable.txt').replace('gone.png', 'timetable.txt'))
        const command = ['import', 'wordpress', path, '--json']
        const guarded = { ...project, env: { ...project.env, NODE_ENV: 'production' } }
        const refused = await runCommand(guarded, command)
        assert.equal(refused.code, 1)
        assert.match(refused.stdout, /file harbour\.png.*import\.allowPrivateNetworks/s)
        const { code, stdout, stderr } = await runCommand(project, [...command, '--again'])
        server.close()
        assert.equal(code, 0, stderr + stdout)
        const { counts } = JSON.parse(stdout)
        assert.deepEqual(
          counts.find(({ subject }: { subject: string }) => subject === 'files'),
          { subject: 'files', there: 4, here: 4 },
        )
      }),
    )

    it('is tried out, and changes nothing then', slow, () =>
      withProject({ schemas: {} }, async (project) => {
        const { code, stdout, stderr } = await runCommand(project, [...importArguments, '--dry-run'])
        assert.equal(code, 0, stderr)
        const { report, files } = JSON.parse(stdout)
        assert.deepEqual(report.problems, [])
        assert.equal(files.length, 7)
        assert.equal(existsSync(join(project.workingDirectory, 'schemas')), false)
        const some = await runCommand(project, [...importArguments, '--dry-run', '--types', 'page'])
        assert.match(some.stdout, /is not among the chosen types; left out: 8/)
        const none = await runCommand(project, [...importArguments, '--types', 'story'])
        assert.match(none.stderr, /has no type story; it has post, page, berth/)
      }),
    )
  })

  describe('texts of WordPress', () => {
    it('get paragraphs and links in a time that grows with their length', () => {
      const hostile = [
        '<pre'.repeat(500_000),
        '\n \n'.repeat(500_000),
        `/${'a'.repeat(2_000_000)}`,
        `${'<pre>'.repeat(300_000)}</script>`,
      ]
      const began = performance.now()
      for (const text of hostile) withFiles(withParagraphs(text), () => undefined)
      assert.ok(performance.now() - began < 5_000)
    })
  })
})
