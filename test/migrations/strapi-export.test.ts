import assert from 'node:assert/strict'
import { createCipheriv, scryptSync } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type Headers, pack } from 'tar-stream'
import { openStrapi, type StrapiOptions } from '../../core-plugins/administration/migrations/migrations.ts'
import { runCommand } from '../support/command-line.ts'
import { withProject } from '../support/process.ts'
import { slow } from '../support/scope.ts'
import { exportFile } from './strapi-world.ts'

const folder = mkdtempSync(join(tmpdir(), 'strapi-exports-'))

const metadata = ['metadata.json', JSON.stringify({ strapi: { version: '5.0.0' } })] as const
const type = (name: string, attributes: object, rest: object = {}) => ({
  uid: `api::${name}.${name}`,
  modelType: 'contentType',
  kind: 'collectionType',
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  attributes,
  ...rest,
})
const lines = (...values: object[]) => values.map((value) => JSON.stringify(value)).join('\n')
const schemas = (...values: object[]) => ['schemas/schemas_00001.jsonl', lines(...values)] as const
const note = type('note', { text: { type: 'string' } })

let count = 0
/** Writes an archive of files, each with a name or a header of its own. */
async function archiveOf(
  ...files: readonly (readonly [
    string | { name: string; type: 'symlink'; linkname: string },
    string | Buffer,
  ])[]
): Promise<string> {
  const tar = pack()
  for (const [header, content] of files)
    tar.entry((typeof header === 'string' ? { name: header } : header) as Headers, content)
  tar.finalize()
  const pieces: Buffer[] = []
  for await (const piece of tar) pieces.push(piece as Buffer)
  return fileWith(gzipSync(Buffer.concat(pieces)))
}

function fileWith(bytes: Buffer, extension = '.tar.gz'): string {
  count += 1
  const path = join(folder, `export-${count}${extension}`)
  writeFileSync(path, bytes)
  return path
}

async function refuses(path: string, message: RegExp, options: StrapiOptions = {}): Promise<void> {
  await assert.rejects(openStrapi(path, options), { name: 'MigrationError', message })
}

describe('an export of Strapi', () => {
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('is refused where it is hostile, or none', slow, async () => {
    await refuses(join(folder, 'missing.tar.gz'), /cannot be read/)
    await refuses(fileWith(Buffer.from('no archive')), /is no \.tar or \.tar\.gz/)
    await refuses(fileWith(readFileSync(exportFile).subarray(0, 20_000)), /damaged, or not complete/)
    await refuses(
      await archiveOf(['../../etc/passwd', 'x']),
      /a file outside of it: "\.\.\/\.\.\/etc\/passwd"/,
    )
    await refuses(await archiveOf(['/etc/passwd', 'x']), /a file outside of it/)
    const link = { name: 'assets/uploads/a.png', type: 'symlink', linkname: '/etc/passwd' } as const
    await refuses(await archiveOf([link, '']), /which is a symlink and no file/)
    await refuses(await archiveOf(schemas(note)), /has no metadata\.json/)
    await refuses(await archiveOf(metadata), /has no schemas/)
    await refuses(
      await archiveOf(['metadata.json', '{"strapi":{"version":"3.6.0"}}']),
      /is of Strapi 3\.6\.0/,
    )
    await refuses(
      await archiveOf(metadata, schemas(note), ['entities/e.jsonl', '{"type":1}']),
      /an entity that is none/,
    )
    await refuses(await archiveOf(metadata, schemas(note), ['links/l.jsonl', '{}']), /a link that is none/)
    await refuses(await archiveOf(metadata, ['schemas/s.jsonl', 'no JSON']), /line 1 is no JSON/)
    await refuses(await archiveOf(metadata, ['schemas/s.jsonl', '[]']), /line 1 is no JSON object/)
    const bomb = Buffer.alloc(80 * 1024 * 1024, 'a')
    await refuses(await archiveOf(metadata, ['entities/e.jsonl', bomb]), /line 1 is longer than/)
    await refuses(exportFile, /has no type story; it has article, author/, { types: ['story'] })
  })

  it('is read encrypted, with its key', async () => {
    const cipher = createCipheriv('aes-128-ecb', scryptSync('open sesame', '', 16), null)
    const encrypted = Buffer.concat([cipher.update(readFileSync(exportFile)), cipher.final()])
    const path = fileWith(encrypted, '.tar.gz.enc')
    await refuses(path, /is encrypted: set MORTISE_STRAPI_KEY/)
    await refuses(path, /the key is wrong/, { key: 'open barley' })
    const source = await openStrapi(path, { key: 'open sesame' })
    assert.equal(source.counts.files, 14)
    await source.close()
  })

  it('has a key that the command line takes from the environment', () =>
    withProject({ schemas: {} }, async (project) => {
      const cipher = createCipheriv('aes-128-ecb', scryptSync('open sesame', '', 16), null)
      const plain = readFileSync(await archiveOf(metadata, schemas(note)))
      const path = fileWith(Buffer.concat([cipher.update(plain), cipher.final()]), '.tar.gz.enc')
      const command = ['import', 'strapi', path, '--dry-run']
      const refused = await runCommand(project, command)
      assert.match(refused.stderr, /set MORTISE_STRAPI_KEY to its key/)
      const withKey = { ...project, env: { ...project.env, MORTISE_STRAPI_KEY: 'open sesame' } }
      const { code, stderr } = await runCommand(withKey, command)
      assert.equal(code, 0, stderr)
    }))

  it('of Strapi 4 has ids in the place of documents', async () => {
    const localized = { pluginOptions: { i18n: { localized: true } }, options: { draftAndPublish: true } }
    const row = (id: number, locale: string, publishedAt: string | null) => ({
      type: 'api::note.note',
      id,
      data: { text: `Note ${id}`, locale, publishedAt, createdAt: '2020-01-01T00:00:00.000Z' },
    })
    const localization = (left: number, right: number) => ({
      kind: 'relation.circular',
      left: { type: 'api::note.note', ref: left, field: 'localizations', pos: 1 },
      right: { type: 'api::note.note', ref: right },
    })
    const path = await archiveOf(
      ['metadata.json', JSON.stringify({ strapi: { version: '4.25.1' } })],
      schemas(type('note', { text: { type: 'string', ...localized } }, localized)),
      [
        'entities/e.jsonl',
        lines(row(1, 'en', '2021-01-01T00:00:00.000Z'), row(2, 'de', null), row(3, 'en', null)),
      ],
      ['links/l.jsonl', lines(localization(1, 2), localization(2, 1))],
    )
    const source = await openStrapi(path)
    const [notes] = source.types
    assert.ok(notes)
    const entries = [...source.entries(notes)]
    const [first, second, third] = entries
    assert.deepEqual(
      entries.map(({ values, locale, publishedAt }) => [values.text, locale, publishedAt]),
      [
        ['Note 1', 'en', '2021-01-01T00:00:00.000Z'],
        ['Note 2', 'de', null],
        ['Note 3', 'en', null],
      ],
    )
    assert.equal(second?.localizationOf, first?.uuid)
    assert.equal(third?.localizationOf, undefined)
    await source.close()
  })

  it('tells what is lost of users, and of what locales share', async () => {
    const localized = { pluginOptions: { i18n: { localized: true } } }
    const place = type(
      'place',
      { name: { type: 'string', ...localized }, height: { type: 'integer' } },
      localized,
    )
    const user = {
      ...type('user', { email: { type: 'email' }, phone: { type: 'string' } }),
      uid: 'plugin::users-permissions.user',
    }
    const row = (id: number, locale: string, height: number) => ({
      type: 'api::place.place',
      id,
      data: { documentId: 'a', name: `Place ${locale}`, height, locale },
    })
    const reader = { type: user.uid, id: 1, data: { email: 'reader@example.com', phone: '1' } }
    const path = await archiveOf(metadata, schemas(place, user), [
      'entities/e.jsonl',
      lines(row(1, 'en', 1), row(2, 'de', 2), row(3, 'fr', 1), reader),
    ])
    const source = await openStrapi(path)
    for (const each of source.types) assert.equal([...source.entries(each)].length, 3)
    const findings = Object.fromEntries(source.findings.map(({ subject, message }) => [subject, message]))
    await source.close()
    assert.match(findings['users.phone'] ?? '', /is left out/)
    assert.match(findings['place.height'] ?? '', /1 localisations had another value than that of en/)
    assert.equal(findings['place.name'], undefined)
  })

  it('is tried out with all its entries, and changes nothing then', slow, () =>
    withProject({ schemas: {} }, async (project) => {
      const visit = type('visit', {
        email: { type: 'email' },
        note: { type: 'relation', relation: 'oneToOne', target: 'api::note.note' },
      })
      const row = (of: string, id: number, data: object) => ({
        type: `api::${of}.${of}`,
        id,
        data: { documentId: `d${id}`, ...data },
      })
      const link = {
        left: { type: 'api::visit.visit', ref: 1, field: 'note' },
        right: { type: 'api::note.note', ref: 1 },
      }
      const path = await archiveOf(
        metadata,
        schemas(note, visit),
        [
          'entities/e.jsonl',
          lines(
            row('note', 1, { text: 'x' }),
            row('visit', 1, { email: 'a@example.com' }),
            row('visit', 2, { email: 'no address' }),
          ),
        ],
        ['links/l.jsonl', lines(link)],
      )
      const { stdout, stderr, code } = await runCommand(project, [
        'import',
        'strapi',
        path,
        '--dry-run',
        '--json',
      ])
      assert.equal(code, 1, stderr)
      const { report } = JSON.parse(stdout)
      assert.deepEqual(
        report.problems.map(({ type: of, path: at }: { type: string; path: string }) => `${of}.${at}`),
        ['visit.email'],
      )
      assert.equal(existsSync(join(project.workingDirectory, 'schemas')), false)
      assert.doesNotMatch(stderr, /password/)
      const refused = await runCommand(project, ['content', 'export', '--type', 'note'])
      assert.match(refused.stderr, /no tables yet|makes its tables|database is new/)
    }),
  )

  it('becomes schema files with which a service starts, whatever names it has', () =>
    withProject({ schemas: {} }, async (project) => {
      const path = await archiveOf(
        metadata,
        schemas(
          type('role', {
            uuid: { type: 'string' },
            createdBy: { type: 'relation' },
            deletedAt: { type: 'date' },
          }),
          type('media', { file: { type: 'media' }, file_id: { type: 'integer', unique: true } }),
          type('odd', { 'a-b': { type: 'enumeration', enum: ['x', '', 'x'] }, vector: { type: 'vector' } }),
        ),
      )
      const { stdout, stderr, code } = await runCommand(project, ['import', 'strapi', path, '--json'])
      assert.equal(code, 0, stderr)
      const findings = JSON.parse(stdout).findings.map(({ subject }: { subject: string }) => subject)
      assert.ok(
        ['role', 'role.uuid', 'role.deletedAt', 'media', 'odd.a-b', 'odd.vector'].every((each) =>
          findings.includes(each),
        ),
      )
      assert.deepEqual(Object.keys(JSON.parse(project.read('schemas/site-role.json')).attributes), [
        'uuidValue',
        'deletedAtValue',
      ])
      assert.deepEqual(JSON.parse(project.read('schemas/odd.json')).attributes, {
        a_b: { type: 'enum', enum: ['x'] },
      })
    }))

  it('replaces no schema file without being told to', slow, () =>
    withProject({ schemas: { 'note.json': { kind: 'collectionType' } } }, async (project) => {
      const path = await archiveOf(metadata, schemas(note))
      const { stdout } = await runCommand(project, ['import', 'strapi', path, '--dry-run'])
      assert.match(stdout, /note\.json +would be replaced/)
      const refused = await runCommand(project, ['import', 'strapi', path])
      assert.match(refused.stderr, /note\.json\. Replace them with --force/)
      assert.equal(refused.code, 1)
      assert.equal(project.read('schemas/note.json'), '{"kind":"collectionType"}')
      const forced = await runCommand(project, ['import', 'strapi', path, '--force'])
      assert.equal(forced.code, 0, forced.stderr)
      assert.equal(JSON.parse(project.read('schemas/note.json')).info.singularName, 'note')
    }),
  )
})
