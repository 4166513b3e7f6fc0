import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { MigrationError } from '../migration-error.ts'
import type { Finding, MigrationSource, SourceFile, SourceFolder, SourceType, SourceUser } from '../source.ts'
import { addedByStrapi, convertSchemas } from './convert-schemas.ts'
import type { ConvertedSchemas } from './converted.ts'
import type { IndexedRow } from './export-index.ts'
import { readArchive } from './read-archive.ts'
import { EntryReader, fileUid, uuidOf } from './read-entries.ts'
import { readExport, type StrapiExport } from './read-export.ts'
import { userUid } from './relation-conversion.ts'

export interface StrapiOptions {
  /** The key of an encrypted export. */
  readonly key?: string | undefined
  /** Singular names of types; undefined means all. */
  readonly types?: readonly string[] | undefined
}

const folderUid = 'plugin::upload.folder'

/** Opens a file written by `strapi export`. @throws MigrationError */
export async function openStrapi(path: string, { key, types }: StrapiOptions = {}): Promise<MigrationSource> {
  const opened = await readExport(path, key)
  try {
    return sourceOf(opened, types)
  } catch (error) {
    await opened.index.close()
    throw error
  }
}

function sourceOf(opened: StrapiExport, only: readonly string[] | undefined): MigrationSource {
  const { index, version } = opened
  const locales = localesIn(opened)
  const defaultLocale = opened.defaultLocale ?? locales[0] ?? 'en'
  const schemas = convertSchemas(opened.schemas, {
    only,
    locales,
    defaultLocale,
    others: index.typesWithRows(),
  })
  const hasFile = (file: IndexedRow) => opened.assets.has(assetName(file))
  const reader = new EntryReader({ index, schemas, defaultLocale, hasFile })
  const sourceTypes = [...schemas.types.values()].map(({ uid, name }) => ({
    name: uid,
    type: name,
    entries: index.countEntries(uid),
  }))
  const missing = missingFiles(opened, hasFile)
  return {
    system: 'strapi',
    title: `Strapi ${version}`,
    schemaFiles: schemas.files,
    types: sourceTypes,
    locales: [defaultLocale, ...locales.filter((locale) => locale !== defaultLocale)],
    get findings() {
      return [...schemas.findings, ...findingsOfUsers(opened), ...reader.findings(), ...missing]
    },
    counts: {
      folders: index.count(folderUid),
      files: index.count(fileUid) - missing.length,
      users: index.count(userUid),
    },
    folders: () => foldersOf(opened),
    files: () => filesOf(opened),
    users: () => usersOf(opened),
    entries: (type) => reader.entries(typeOf(schemas, type)),
    close: () => index.close(),
  }
}

function typeOf({ types }: ConvertedSchemas, { name }: SourceType) {
  const type = types.get(name)
  if (type === undefined) throw new MigrationError(`the export has no type ${name}`)
  return type
}

function localesIn({ index }: StrapiExport): string[] {
  return [...index.rowsOf('plugin::i18n.locale')].flatMap(({ data: { code } }) =>
    typeof code === 'string' ? [code] : [],
  )
}

const textIn = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)

const assetName = ({ data: { hash, ext } }: IndexedRow) => `${hash}${ext ?? ''}`

/** The attributes that users have in every Strapi. */
const usualOfUsers = [
  ...addedByStrapi,
  ...['username', 'email', 'blocked', 'role', 'provider', 'confirmed'],
  ...['password', 'resetPasswordToken', 'confirmationToken'],
]

function findingsOfUsers({ index, schemas }: StrapiExport): Finding[] {
  if (index.count(userUid) === 0) return []
  const message =
    'are brought in without their passwords, whose hashes are of another kind here: they set one with "forgot password"'
  const { attributes = {} } = schemas.find(({ uid }) => uid === userUid) ?? {}
  const further = Object.keys(attributes).filter((name) => !usualOfUsers.includes(name))
  return [
    { subject: 'users', message },
    ...further.map((name) => ({
      subject: `users.${name}`,
      message: 'is an attribute of the project: it is left out, and only entries are brought in with theirs',
    })),
  ]
}

function missingFiles({ index }: StrapiExport, hasFile: (file: IndexedRow) => boolean): Finding[] {
  const missing: Finding[] = []
  for (const row of index.rowsOf(fileUid)) {
    if (!hasFile(row))
      missing.push({
        subject: `file ${row.data.name}`,
        message: 'is not in the export, or empty: entries lose it',
      })
  }
  return missing
}

/** A folder's path contains that of its parent, so sorting by length puts parents first. */
function foldersOf({ index }: StrapiExport): SourceFolder[] {
  const rows = [...index.rowsOf(folderUid)].sort((left, right) => depthOf(left) - depthOf(right))
  return rows.map(({ id, data }) => ({
    id: String(id),
    name: textIn(data.name) ?? `Folder ${id}`,
    parent: index.linksOf(folderUid, id, 'parent')[0]?.id.toString(),
  }))
}

const depthOf = ({ data: { path } }: IndexedRow) => String(path).split('/').length

/** Reads the export a second time, because its files may be too many and too large to be stored meanwhile. */
async function* filesOf({ path, key, index }: StrapiExport): AsyncGenerator<SourceFile> {
  const names = new Map([...index.rowsOf(fileUid)].map((row) => [assetName(row), row.id]))
  for await (const { name, size, stream } of readArchive(path, key)) {
    const id =
      name.startsWith('assets/uploads/') && size > 0
        ? names.get(name.slice('assets/uploads/'.length))
        : undefined
    const row = id === undefined ? undefined : index.rowAt(fileUid, id)
    if (row === undefined) continue
    const { data } = row
    yield {
      uuid: uuidOf(row),
      name: withExtension(textIn(data.name) ?? assetName(row), textIn(data.ext)),
      alt: textIn(data.alternativeText),
      caption: textIn(data.caption),
      folder: index.linksOf(fileUid, row.id, 'folder')[0]?.id.toString(),
      mimeType: textIn(data.mime) ?? 'application/octet-stream',
      write: (target) => pipeline(stream, createWriteStream(target, { flags: 'wx' })),
    }
  }
}

/** Adds the extension if an editor has removed it by renaming the file. */
function withExtension(name: string, extension: string | null): string {
  return extension === null || name.toLowerCase().endsWith(extension.toLowerCase())
    ? name
    : `${name}${extension}`
}

function* usersOf({ index }: StrapiExport): Generator<SourceUser> {
  for (const row of index.rowsOf(userUid)) {
    const { username, email, blocked } = row.data
    const address = textIn(email)
    if (address === null) continue
    yield {
      uuid: uuidOf(row),
      username: textIn(username) ?? address,
      email: address,
      isBlocked: blocked === true || blocked === 1,
    }
  }
}
