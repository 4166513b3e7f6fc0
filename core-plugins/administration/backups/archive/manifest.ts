import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { dialectNames } from '../../../foundation/database/database.ts'
import { DamagedArchive } from './damaged-archive.ts'

/**
 * The version of the format. A service reads archives of its own version and all earlier ones, never later
 * ones. When you change the format, increment this and add a function to `upgrades` that turns a manifest of
 * the previous version into one of the new version.
 */
export const formatVersion = 1

const closed = { additionalProperties: false } as const
const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const name = Type.String({ minLength: 1, maxLength: 200 })
const flag = Type.Boolean()

const columnSchema = Type.Object(
  {
    name,
    kind: Type.Enum([
      'id',
      'reference',
      'integer',
      'bigint',
      'decimal',
      'boolean',
      'string',
      'text',
      'date',
      'datetime',
      'json',
      'point',
    ]),
    length: Type.Optional(count),
  },
  closed,
)

/** A part has a few MiB uncompressed, or whatever a single row takes. */
export const maxPartBytes = 128 * 1024 * 1024

const partSchema = Type.Object(
  { name, rows: count, bytes: Type.Integer({ minimum: 0, maximum: maxPartBytes }) },
  closed,
)

const tableSchema = Type.Object(
  {
    name,
    section: Type.Enum(['config', 'content', 'media']),
    /** The singular name of the content type to which the rows belong. */
    type: Type.Union([name, Type.Null()]),
    columns: Type.Array(columnSchema, { minItems: 1, maxItems: 10_000 }),
    key: Type.Array(name, { minItems: 1, maxItems: 10 }),
    rows: count,
    /** The columns that hold a value other than null. */
    filled: Type.Array(name),
    parts: Type.Array(partSchema),
  },
  closed,
)

const manifestSchema = Type.Object(
  {
    format: Type.Literal(formatVersion),
    service: name,
    createdAt: Type.String({ format: 'date-time' }),
    database: Type.Enum([...dialectNames]),
    name: Type.String({ maxLength: 200 }),
    sections: Type.Object(
      { schemas: flag, components: flag, config: flag, content: flag, media: flag },
      closed,
    ),
    tables: Type.Array(tableSchema, { maxItems: 10_000 }),
    media: Type.Object({ files: count, bytes: count }, closed),
    schemas: Type.Array(name),
    components: Type.Array(name),
    /** The hash of the file that contains the checksums of all others. */
    checksums: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  },
  closed,
)

/** The manifest at the end of an archive. */
export type Manifest = Static<typeof manifestSchema>
/** One table of an archive. */
export type ArchivedTable = Manifest['tables'][number]

/** Turns a manifest into one of the next version; keyed by the old version. */
const upgrades: Readonly<Record<number, (manifest: Record<string, unknown>) => Record<string, unknown>>> = {}

/** Reads a manifest of this version or of an earlier one. @throws DamagedArchive */
export function readManifest(text: string): Manifest {
  let manifest = parseObject(text)
  let version = assertReadable(manifest.format)
  while (version < formatVersion) {
    const upgrade = upgrades[version]
    if (upgrade === undefined) throw new DamagedArchive(`has the unknown format version ${version}`)
    manifest = upgrade(manifest)
    version += 1
  }
  if (Value.Check(manifestSchema, manifest)) return manifest
  const problem = Value.Errors(manifestSchema, manifest)[0]
  throw new DamagedArchive(
    `has a manifest that is wrong at ${problem?.instancePath || '/'}: ${problem?.message}`,
  )
}

/** @throws DamagedArchive unless this service can read archives of the version */
export function assertReadable(version: unknown): number {
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    throw new DamagedArchive('does not say which version of the format it has')
  }
  if (version <= formatVersion) return version
  throw new DamagedArchive(
    `has format version ${version}, and this service reads up to ${formatVersion}: restore it with a newer release`,
  )
}

/** @throws DamagedArchive */
export function parseObject(text: string): Record<string, unknown> {
  try {
    const value = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {}
  throw new DamagedArchive('has a manifest that is not a JSON object')
}
