import type { AttributeFile } from '../file-attribute.ts'
import type { ContentTypeFile } from '../files/file-schema.ts'
import type { SchemaSource } from '../files/schema-source.ts'

interface SystemType {
  readonly table: string
  readonly content: ContentTypeFile
  /** Attributes that are never part of content answers. */
  readonly privateAttributes: readonly string[]
}

function declare(
  info: ContentTypeFile['info'],
  attributes: Record<string, AttributeFile>,
  indexes: ContentTypeFile['indexes'] = [],
): ContentTypeFile {
  return { kind: 'collectionType', info, attributes, indexes }
}

const required = { required: true } as const

const user: SystemType = {
  table: 'svc_users',
  // Permission to read an entry does not include its author's address.
  privateAttributes: ['email', 'passwordHash', 'role', 'blocked', 'tokenVersion'],
  content: declare(
    { singularName: 'user', pluralName: 'users', displayName: 'User', description: 'An end user.' },
    {
      email: { type: 'email', ...required, unique: true },
      username: { type: 'string', ...required, unique: true },
      passwordHash: { type: 'string', ...required },
      role: { type: 'string', ...required, default: 'authenticated' },
      blocked: { type: 'boolean', ...required, default: false },
      tokenVersion: { type: 'integer', ...required, default: 0 },
    },
  ),
}

const media: SystemType = {
  table: 'svc_media',
  // It would reveal the original, whose metadata may say where a photo was taken.
  privateAttributes: ['untouched'],
  content: declare(
    { singularName: 'media', pluralName: 'media-files', displayName: 'Media', description: 'A file.' },
    {
      filename: { type: 'string', ...required },
      originalName: { type: 'string', ...required },
      mimeType: { type: 'string', ...required },
      size: { type: 'integer', ...required },
      url: { type: 'string', ...required, maxLength: 700 },
      width: { type: 'integer' },
      height: { type: 'integer' },
      alt: { type: 'text' },
      caption: { type: 'text' },
      // For an image, from its left and top edge: the point that must stay visible when it is cropped.
      focalX: { type: 'decimal', min: 0, max: 1 },
      focalY: { type: 'decimal', min: 0, max: 1 },
      // Comma-separated, so that every database can filter by them.
      tags: { type: 'string', maxLength: 500 },
      folder: { type: 'relation', relation: 'manyToOne', target: 'media-folder', onDelete: 'RESTRICT' },
      formats: { type: 'json', default: {} },
      // A ThumbHash in base64.
      placeholder: { type: 'string', maxLength: 64 },
      // The key of the file as it was uploaded, if the public file has been stripped of private metadata.
      untouched: { type: 'string', maxLength: 100 },
    },
    [{ fields: ['filename'], type: 'unique' }],
  ),
}

const mediaFolder: SystemType = {
  table: 'svc_media_folders',
  privateAttributes: [],
  content: declare(
    {
      singularName: 'media-folder',
      pluralName: 'media-folders',
      displayName: 'Media folder',
      description: 'A folder of files and of folders.',
    },
    {
      name: { type: 'string', ...required },
      parent: { type: 'relation', relation: 'manyToOne', target: 'media-folder', onDelete: 'RESTRICT' },
    },
  ),
}

const role: SystemType = {
  table: 'svc_roles',
  privateAttributes: ['type', 'permissions'],
  content: declare(
    {
      singularName: 'role',
      pluralName: 'roles',
      displayName: 'Role',
      description: 'What its holders may do.',
    },
    {
      name: { type: 'string', ...required, unique: true },
      description: { type: 'text' },
      type: { type: 'string', ...required },
      permissions: { type: 'json', ...required },
    },
  ),
}

const systemTypes: readonly SystemType[] = [user, media, mediaFolder, role]

/** True for the attributes that a system type has without any extension. */
export function isCoreAttribute(type: string, attribute: string): boolean {
  return systemTypes.some(
    ({ content }) => content.info.singularName === type && Object.hasOwn(content.attributes, attribute),
  )
}

/** The built-in types without any extension. */
export function draftSystemTypes(): Map<string, SchemaSource> {
  return new Map(systemTypes.map((type) => [type.content.info.singularName, draftOf(type)]))
}

function draftOf({ table, content, privateAttributes }: SystemType): SchemaSource {
  return {
    name: content.info.singularName,
    content,
    lost: new Set(),
    origin: { path: 'built in' },
    origins: new Map(),
    system: {
      table,
      privateAttributes: new Set(privateAttributes),
    },
  }
}
