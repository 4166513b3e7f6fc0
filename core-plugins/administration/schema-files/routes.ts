import { Type } from 'typebox'
import type { Log } from '../../../kernel/index.ts'
import type { Audit } from '../../background/audit/audit.ts'
import {
  AppError,
  defineRoute,
  type Principal,
  Reply,
  type Route,
  type RouteRequest,
  strict,
} from '../../foundation/http/http.ts'
import type { FieldTypes } from '../../foundation/schemas/schemas.ts'
import { schemaPathPattern } from './changes.ts'
import type { CheckedChanges, SchemaFiles } from './create-schema-files.ts'
import { presentCheck, presentedFileSchemas, presentFieldTypes, presentFiles } from './present.ts'
import { checkSchema, filesSchema } from './response-schemas.ts'

const read = { tag: 'Schema files', access: 'area', scope: 'admin:schemas:read' } as const

/** Files contain names and options: a megabyte declares thousands of fields. */
const maxBodyBytes = 1024 * 1024

const body = Type.Object(
  {
    files: Type.Record(
      Type.String({ pattern: schemaPathPattern }),
      Type.Union([Type.Object({}), Type.Null()]),
      {
        additionalProperties: false,
        minProperties: 1,
        maxProperties: 100,
        description:
          'By path in the schemas directory (`article.json`, `components/shared.seo.json`): what the file is to hold, or ' +
          'null to remove it',
      },
    ),
  },
  strict,
)

export interface SchemaFileRouteParts {
  readonly schemaFiles: SchemaFiles
  readonly fieldTypes: FieldTypes
  /** The schemas directory in messages. */
  readonly label: string
  readonly isWritable: boolean
  /** The setting that forbids writes, for messages. */
  readonly reason: string
  /** Whether the service runs with the files of this version. */
  isInUse(version: string): boolean
  readonly audit: Audit | undefined
  readonly log: Log
}

/** See docs/admin-api.md. */
export function schemaFileRoutes(parts: SchemaFileRouteParts): Route[] {
  return [readRoute(parts), checkRoute(parts), writeRoute(parts)]
}

function readRoute({ schemaFiles, fieldTypes, isWritable, reason, isInUse }: SchemaFileRouteParts) {
  return defineRoute({
    ...read,
    name: 'admin:schemas.read',
    method: 'GET',
    path: '/admin/schemas',
    summary: 'The schema files of the project, and what can stand in them',
    response: filesSchema,
    async handler() {
      const { files, version } = await schemaFiles.read()
      const data = {
        ...{ version, isWritable, reason: isWritable ? null : reason, isInUse: isInUse(version) },
        files: presentFiles(files),
        fieldTypes: presentFieldTypes(fieldTypes),
        fileSchemas: presentedFileSchemas,
      }
      return new Reply(200, { kind: 'data', data, version })
    },
  })
}

function checkRoute({ schemaFiles, label }: SchemaFileRouteParts) {
  return defineRoute({
    ...read,
    name: 'admin:schemas.check',
    audit: false,
    method: 'POST',
    path: '/admin/schemas/check',
    summary:
      'What changed schema files would come to: problems, changes of the database, texts; writes nothing',
    ...{ body, maxBodyBytes },
    response: checkSchema,
    handler: async (request) => presentCheck(await schemaFiles.check(request.body.files), label),
  })
}

function writeRoute(parts: SchemaFileRouteParts) {
  const { schemaFiles, label, isWritable, reason } = parts
  return defineRoute({
    ...read,
    scope: 'admin:schemas:write',
    name: 'admin:schemas.write',
    // The handler records the names of the files itself.
    audit: false,
    method: 'PUT',
    path: '/admin/schemas',
    summary: 'Write schema files, all of them or none',
    description:
      'Refused unless `schemas.writable` is on, if the files are not those of `If-Match`, or if the service would not ' +
      'start with them. It uses them from its next start on.',
    ...{ body, maxBodyBytes },
    takesIfMatch: true,
    response: checkSchema,
    async handler(request) {
      if (!isWritable) throw AppError.forbidden(reason)
      const { principal, ip } = request
      const checked = await schemaFiles.write(request.body.files, ifMatchOf(request))
      await recordBy(parts)(checked, { principal, ip })
      return presentCheck(checked, label)
    },
  })
}

function ifMatchOf(request: RouteRequest<unknown, unknown, unknown>): string {
  const ifMatch = request.header('if-match')
  if (ifMatch !== undefined) return ifMatch
  const message =
    'is missing: send the ETag of GET /admin/schemas, so that no change of somebody else is lost'
  throw AppError.invalid([{ path: 'If-Match', code: 'required', message }])
}

export type RecordWrite = (
  checked: CheckedChanges,
  by: { readonly principal: Principal; readonly ip: string | undefined },
) => Promise<void>

/** Records who has written which files. The files are already written, so a failure of the log is not returned as an error. */
export function recordBy({ audit, log }: Pick<SchemaFileRouteParts, 'audit' | 'log'>): RecordWrite {
  return async ({ texts }, { principal, ip }) => {
    if (texts.size === 0) return
    const written = [...texts].flatMap(([path, text]) => (text === null ? [] : [path]))
    const removed = [...texts].flatMap(([path, text]) => (text === null ? [path] : []))
    log.info({ written, removed }, 'wrote schema files')
    try {
      const details = { written, removed }
      await audit?.record({ action: 'schema.write', principal, ip, resource: 'schema', details })
    } catch (error) {
      log.error({ err: error, written, removed }, 'the audit log could not be written')
    }
  }
}
